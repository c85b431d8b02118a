import type { Queryable } from '#kit/db/database.js';

/** Whether scores or jobs wait, or deliveries that are due and not under way. */
export async function hasWork(db: Queryable, now: Date): Promise<boolean> {
  const [row] = await db.query<{ isBusy: boolean }>(
    `select exists (select from recompute_queue) or exists (select from job)
       or exists (select from outbox_queue where due_at <= $1) as is_busy`,
    [now],
  );
  return row?.isBusy === true;
}
