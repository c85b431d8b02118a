import { readFileSync } from 'node:fs';
import {
  isTlogProof,
  type KeptFile,
  NoteError,
  ProofFormatError,
  parseProofText,
  parseTlogProof,
  parseVerifierKey,
  type Verification,
  verify,
} from '@reliability/proof';
import { type Arguments, positionalsOf } from '../arguments.js';
import type { Context } from '../command.js';
import { UsageError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import type { Output } from '../output.js';
import { checkFile, credentialIn } from './credential.js';
import { markOf } from './mark.js';

/**
 * Verifies a receipt, a score proof or a credential without the service: 0 if every step was checked
 * and holds, 1 if a step failed, 3 if no step failed and not every step could be checked.
 */
export async function verifyFile({ args, output }: Context): Promise<number> {
  const { file } = positionalsOf(args, 'file');
  const text = readText(file);
  try {
    const credential = credentialIn(text);
    if (credential) return await checkFile(credential, { args, output, readText });
    if (!isTlogProof(text)) refuseNoJson(file, text);
    const verification = await verify(text, {
      logKey: args.list('key').map(parseVerifierKey),
      kept: readKept(args),
      witnesses: args.list('witness').map(parseVerifierKey),
      quorum: args.number('quorum'),
      maxAgeMinutes: args.number('max-age'),
      now: new Date(),
    });
    output.result(verification, () => linesOf(verification, output));
    if (!verification.ok) return exitCodes.failed;
    return verification.isComplete ? exitCodes.done : exitCodes.incomplete;
  } catch (error) {
    if (error instanceof NoteError || error instanceof ProofFormatError) throw new UsageError(error.message);
    throw error;
  }
}

/** What else is wrong with it, a step says. */
function refuseNoJson(path: string, text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function readKept(args: Arguments): KeptFile | undefined {
  const path = args.text('kept');
  const consistencyPath = args.text('consistency');
  if (path === undefined) {
    if (consistencyPath !== undefined) throw new UsageError('--consistency needs --kept, too');
    return undefined;
  }
  const file = readText(path);
  const checkpoint = checkpointIn(path, file);
  if (typeof checkpoint !== 'string') throw new UsageError(`${path} has no checkpoint`);
  const kept = file === checkpoint ? { checkpoint } : { checkpoint, file };
  if (consistencyPath === undefined) return kept;
  const consistency = fieldOf(consistencyPath, readText(consistencyPath), 'proof');
  const isProof = Array.isArray(consistency) && consistency.every((hash) => typeof hash === 'string');
  if (!isProof) throw new UsageError(`${consistencyPath} has no proof`);
  return { ...kept, consistency };
}

function checkpointIn(path: string, text: string): unknown {
  if (isTlogProof(text)) return parseTlogProof(text).checkpoint;
  return text.startsWith('{') ? fieldOf(path, text, 'checkpoint') : text;
}

function fieldOf(path: string, text: string, name: string): unknown {
  const value = parseJson(path, text);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const MAX_BYTES = 64_000_000;

function readText(path: string): string {
  try {
    const text = readFileSync(path === '-' ? process.stdin.fd : path, 'utf8');
    if (text.length > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} characters`);
    return text;
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return parseProofText(text);
  } catch (error) {
    throw new UsageError(`${path} cannot be read. ${error instanceof Error ? error.message : error}`);
  }
}

function linesOf({ steps, ok, isComplete }: Verification, output: Output): string[] {
  const lines = steps.map(
    ({ ok: isOk, name, text }) => `${markOf(isOk, output)}  ${name.padEnd(12)}  ${text}`,
  );
  return [...lines, conclusionOf(ok, isComplete)];
}

function conclusionOf(ok: boolean, isComplete: boolean): string {
  if (!ok) return 'Not verified.';
  return isComplete ? 'Verified.' : 'Nothing failed, but not everything was checked.';
}
