import type { Database } from '../../kit/db/database.js';
import { LOWEST_ID } from '../../kit/ids.js';
import { lockTree } from './batch.js';
import { factKinds } from './kinds.js';
import { findWithUnloggedFacts } from './otherFacts.js';
import { queuedKinds } from './queue.js';

const SUBJECTS_PER_SLICE = 1000;

/**
 * Starts the walk over all live subjects again if it is complete. Each start of a sequencer does:
 * processes of an older version do not queue what they write.
 */
export async function restartWalk(db: Database): Promise<void> {
  await db.execute('update log_state set walk_after = $1 where walk_after is null', [LOWEST_ID]);
}

/** The number of the last leaf of a kind; an index has it. */
function lastRef(kind: number): string {
  return `coalesce((select max(f.ref) from log_fact f where f.subject_id = page.subject_id and f.kind = ${kind}), 0)`;
}

/** Queues the next subjects with facts that are not in the log. False: the walk is complete. */
export function walkOn(db: Database, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if ((await lockTree(tx)) === null) return false;
    const [state] = await tx.query<{ walkAfter: string | null }>(
      'select walk_after from log_state for update',
    );
    if (!state || state.walkAfter === null) return false;
    const page = await tx.query<{ subjectId: string }>(
      'select subject_id from subject where livemode and subject_id > $1 order by subject_id limit $2',
      [state.walkAfter, SUBJECTS_PER_SLICE],
    );
    const ids = page.map(({ subjectId }) => subjectId);
    await tx.execute(
      `insert into log_queue (subject_ids, kinds, queued_at)
       select array_agg(page.subject_id), ${queuedKinds.all}, $3::timestamptz from subject page
       left join score c using (subject_id)
       where page.subject_id = any($1::uuid[]) and (
         page.event_count > ${lastRef(factKinds.event)} or c.snapshot_no > ${lastRef(factKinds.snapshot)}
         or page.subject_id = any($2::uuid[])
       )
       having count(*) > 0`,
      [ids, await findWithUnloggedFacts(tx, ids), now],
    );
    const isOver = ids.length < SUBJECTS_PER_SLICE;
    await tx.execute(
      'update log_state set walk_after = $1, is_ledger_queued = is_ledger_queued or $1::uuid is null',
      [isOver ? null : ids.at(-1)],
    );
    return !isOver;
  });
}
