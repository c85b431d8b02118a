import type { Tx } from '../../kit/db/database.js';
import type { Fact } from './facts.js';
import { LOG_ITSELF } from './kinds.js';
import { queuedKinds } from './queue.js';

/** Notes are numbered one after another. */
export async function lockNotes(tx: Tx): Promise<void> {
  await tx.execute('select 1 from log_state for update');
}

/** Writes a fact about the log itself, which becomes a leaf like any other. Lock the notes first. */
export async function insertNote(tx: Tx, fact: Fact, now: Date): Promise<void> {
  await tx.execute(
    `with noted as (insert into log_note (number, fact) select coalesce(max(number), 0) + 1, $1::json from log_note)
     insert into log_queue (subject_ids, kinds, queued_at) values (array['${LOG_ITSELF}'::uuid], ${queuedKinds.others}, $2)`,
    [fact, now],
  );
}
