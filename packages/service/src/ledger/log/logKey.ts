import type { KeyObject } from 'node:crypto';
import { formatVerifierKey, type VerifierKey, verifierKey } from '@reliability/proof';
import type { Database } from '../../kit/db/database.js';
import type { PublicJwk, SigningKey } from '../signingKeys.js';
import { insertNote, lockNotes } from './notes.js';

/** Signs checkpoints. */
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
    const [last] = await tx.query<{ number: number; vkey: string }>(
      `select number, fact ->> 'vkey' as vkey from log_note where fact ->> 'kind' = 'logKey' order by number desc limit 1`,
    );
    if (last?.vkey === vkey) return false;
    await insertNote(tx, { kind: 'logKey', at: now.toISOString(), vkey, action: 'signs' }, now);
    return true;
  });
}
