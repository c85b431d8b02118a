import type { KeyObject } from 'node:crypto';
import {
  formatVerifierKey,
  NoteError,
  parseVerifierKey,
  type VerifierKey,
  verifierKey,
} from '@reliability/proof';
import type { Database, Queryable } from '#kit/db/database.js';
import type { PublicJwk, SigningKey } from '../signingKeys.js';
import { LogInconsistent } from './heads.js';
import { insertNote, lockNotes } from './queue.js';

export interface LogSigner {
  key: VerifierKey;
  privateKey: KeyObject;
}

/**
 * The name of a log: the host of BASE_URL, with its port if that is not the usual one, and the path
 * of the log.
 */
export function originOf(baseUrl: string, group: number): string {
  return new URL(baseUrl).host + logPath(group);
}

/** Each ledger group has a log of its own. */
export function logPath(group: number): string {
  return group === 0 ? '/log' : `/log/g${group}`;
}

/** The name under which this service cosigns the logs of other installations. */
export function witnessNameOf(baseUrl: string): string {
  return `${originOf(baseUrl, 0)}/witness`;
}

export function logSigner(origin: string, { publicJwk, privateKey }: SigningKey): LogSigner {
  return { key: logVerifierKey(origin, publicJwk), privateKey };
}

export function logVerifierKey(origin: string, { x }: PublicJwk): VerifierKey {
  return verifierKey(origin, Buffer.from(x, 'base64url'));
}

/** Makes the key in use a fact of the log, once for each key and origin. True: it is new. */
export async function noteKey(db: Database, { key }: LogSigner, now: Date): Promise<boolean> {
  const vkey = formatVerifierKey(key);
  return db.transaction(async (tx) => {
    await lockNotes(tx);
    if ((await readNamed(tx)).at(-1) === vkey) return false;
    await insertNote(tx, { kind: 'logKey', vkey, action: 'signs' }, now);
    return true;
  });
}

/** The keys that the log itself names as its own, the last one last. */
export async function readNamedKeys(db: Queryable): Promise<VerifierKey[]> {
  try {
    return (await readNamed(db)).map(parseVerifierKey);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new LogInconsistent(`a fact of the log names a key that cannot be read: ${error.message}`);
  }
}

async function readNamed(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ vkey: string }>(
    `select fact ->> 'vkey' as vkey from log_note where fact ->> 'kind' = 'logKey' order by number`,
  );
  return rows.map(({ vkey }) => vkey);
}

/**
 * Throws LogInconsistent if the key that the log named last is not among the stored ones: it was lost,
 * and another must not take its place unnoticed.
 */
export async function assertKeyIsStored(db: Queryable): Promise<void> {
  const last = (await readNamedKeys(db)).at(-1);
  if (!last) return;
  const stored = await db.shared.query<{ publicJwk: PublicJwk }>(
    `select public_jwk from signing_key where purpose = 'log'`,
  );
  const x = Buffer.from(last.publicKey).toString('base64url');
  if (stored.some(({ publicJwk }) => publicJwk.x === x)) return;
  throw new LogInconsistent(
    `the key ${last.name}+${last.id} that signs the log is not in the table signing_key`,
  );
}
