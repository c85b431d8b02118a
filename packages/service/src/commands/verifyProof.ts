import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  isTlogProof,
  type KeptCheckpoint,
  NoteError,
  ProofFormatError,
  parseTlogProof,
  parseVerifierKey,
  type Verification,
  verify,
} from '@reliability/proof';
import { systemClock } from '../kit/clock.js';
import { CommandError } from './commandError.js';

const USAGE = `npm run verify -- proof.json --key KEY [--witness KEY]... [--quorum N]
               [--kept FILE --consistency FILE] [--max-age MINUTES] [--json]
  proof.json          the answer of GET /events/{id}/receipt, also as .tlog-proof, or of GET /users/{id}/score/proof;
                      "-" reads it from stdin
  --key KEY           verifier key of the log: vkey in /.well-known/ledger-log.json, kept from an earlier day.
                      Repeat it for a log that has changed its key
  --witness KEY       verifier key of a witness that has to have cosigned; repeat it for each
  --quorum N          how many of these witnesses suffice; default: all
  --kept FILE         a receipt, proof or checkpoint kept from another day: nothing was changed since
  --consistency FILE  the answer of GET /log/consistency for the two sizes, which --kept needs
  --max-age MINUTES   fails if nothing shows that the checkpoint is this recent
  --json              prints the result as JSON`;

/*
 * Verifies a receipt or a score proof without the service. Exit codes: 0 every step was checked and
 * holds, 1 a step failed, 2 the file or an argument cannot be read, 3 no step failed and not every
 * step could be checked (no key was given, or facts are another platform's).
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await verifyFile();
  } catch (error) {
    console.error(isPlain(error) ? error.message : error);
    return 2;
  }
}

async function verifyFile(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true, default: [] },
      witness: { type: 'string', multiple: true, default: [] },
      quorum: { type: 'string' },
      kept: { type: 'string' },
      consistency: { type: 'string' },
      'max-age': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new CommandError(USAGE);
  const text = readText(path);
  const verification = await verify(isTlogProof(text) ? text : parseJson(path, text), {
    logKey: values.key.map(parseVerifierKey),
    kept: readKept(values.kept, values.consistency),
    witnesses: values.witness.map(parseVerifierKey),
    quorum: wholeNumber('--quorum', values.quorum),
    maxAgeMinutes: wholeNumber('--max-age', values['max-age']),
    now: systemClock.now(),
  });
  console.log(values.json ? JSON.stringify(verification, null, 2) : textOf(verification));
  if (!verification.ok) return 1;
  return verification.isComplete ? 0 : 3;
}

function readKept(path: string | undefined, consistencyPath: string | undefined): KeptCheckpoint | undefined {
  if (path === undefined) {
    if (consistencyPath !== undefined) throw new CommandError('--consistency needs --kept, too');
    return undefined;
  }
  const text = readText(path);
  const checkpoint = checkpointIn(path, text);
  if (typeof checkpoint !== 'string') throw new CommandError(`${path} has no checkpoint`);
  if (consistencyPath === undefined) return { checkpoint };
  const consistency = fieldOf(consistencyPath, readText(consistencyPath), 'proof');
  const isProof = Array.isArray(consistency) && consistency.every((hash) => typeof hash === 'string');
  if (!isProof) throw new CommandError(`${consistencyPath} has no proof`);
  return { checkpoint, consistency };
}

function checkpointIn(path: string, text: string): unknown {
  if (isTlogProof(text)) return parseTlogProof(text).checkpoint;
  return text.startsWith('{') ? fieldOf(path, text, 'checkpoint') : text;
}

function fieldOf(path: string, text: string, name: string): unknown {
  const value = parseJson(path, text);
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? process.stdin.fd : path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new CommandError(`${option} needs a whole number, not ${value}`);
  return Number(value);
}

function textOf({ steps, ok, isComplete }: Verification): string {
  const lines = steps.map((step) => `${markOf(step.ok).padEnd(11)}  ${step.name.padEnd(12)}  ${step.text}`);
  return [...lines, conclusionOf(ok, isComplete)].join('\n');
}

function markOf(isOk: boolean | null): string {
  if (isOk === null) return 'not checked';
  return isOk ? 'ok' : 'FAILED';
}

function conclusionOf(ok: boolean, isComplete: boolean): string {
  if (!ok) return 'Not verified.';
  return isComplete ? 'Verified.' : 'Nothing failed, but not everything was checked.';
}

function isPlain(error: unknown): error is Error {
  if (error instanceof CommandError || error instanceof NoteError || error instanceof ProofFormatError)
    return true;
  // Errors of parseArgs are written for users.
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
