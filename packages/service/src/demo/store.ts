import type { Queryable } from '#kit/db/database.js';

/** Whether scores wait; and if so or if jobs or deliveries that are due and not under way do, not null. */
export async function findQueued(db: Queryable, now: Date): Promise<{ scores: boolean } | null> {
  const [row] = await db.query<{ scores: boolean; others: boolean }>(
    `select exists (select from recompute_queue) as scores, exists (select from job where claim is not null or due_at <= $1)
       or exists (select from outbox_queue where due_at <= $1) as others`,
    [now],
  );
  return row && (row.scores || row.others) ? row : null;
}
