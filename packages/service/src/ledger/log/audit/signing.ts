import type { Tx } from '../../../kit/db/database.js';
import { findSignedCheckpoint, readSignedHead } from '../checkpoints.js';
import { knownHead } from '../heads.js';
import { LogInconsistent } from '../logInconsistent.js';
import { assertKeyIsStored } from '../logKey.js';
import type { LogAudit } from './store.js';

/** A log that has just begun may have leaves and no checkpoint yet. */
const SIGNED_WITHIN_MS = 10 * 60_000;

/** What must be there if the log was ever signed: its newest checkpoint, and the key that signs. */
export async function auditSigning(tx: Tx, leaves: number, audit: LogAudit): Promise<void> {
  try {
    const newest = await findSignedCheckpoint(tx);
    const note = await readSignedHead(tx);
    const size = note === null ? 0 : knownHead(note, 'log_state').size;
    if (size > (newest?.treeSize ?? 0))
      audit.report(`the checkpoint of ${size} leaves was signed, and it is missing`);
    else if (!newest && leaves > 0 && (await isOld(tx, audit.now)))
      audit.report(`the log has ${leaves} leaves and no signed checkpoint`);
    await assertKeyIsStored(tx);
  } catch (error) {
    if (!(error instanceof LogInconsistent)) throw error;
    audit.report(error.message);
  }
}

async function isOld(tx: Tx, now: Date): Promise<boolean> {
  const [note] = await tx.query<{ at: Date }>(
    `select (fact ->> 'at')::timestamptz as at from log_note where number = 1`,
  );
  return !note || now.getTime() - note.at.getTime() > SIGNED_WITHIN_MS;
}
