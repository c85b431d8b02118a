import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail } from '#domain/errors.js';
import type { Database, Tx } from '#kit/db/database.js';
import { snakeCase } from '#kit/db/rows.js';
import { isQueueServed } from '#kit/jobs/jobs.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import { inSlices, keptSince, type Sweep } from '#ledger/sweep.js';

/** The key of a row that a job works on: its id is that of the job. */
export interface JobKey {
  readonly platformId: string;
  readonly jobId: string;
}

/** How long results are kept (RULES O3). */
const RETENTION_DAYS = 30;

/** Rows that callers follow while a job works on them, and read when it has ended. */
export function trackedJobs<Row extends { readonly id: string }>(
  table: 'screening' | 'backtest',
  columns: string,
) {
  const id = `${table}_id`;
  return {
    ...ownedRows<Row>({ table, id, columns, missing: `There is no ${table} with this id.` }),

    /**
     * Changes a row and locks it until the transaction ends. Null if its job has ended or was
     * deleted or, with `quietSince`, made progress after that time.
     */
    async change(
      tx: Tx,
      { platformId, jobId }: JobKey,
      changes: object,
      quietSince?: Date,
    ): Promise<(Row & { livemode: boolean }) | null> {
      const names = Object.keys(changes);
      const set = names.map((name, index) => `${snakeCase(name)} = $${index + 3}`);
      const isQuiet = quietSince ? `and progress_at < $${names.length + 3}` : '';
      const [row] = await tx.query<Row & { livemode: boolean }>(
        `update ${table} set ${set.join(', ')}
         where platform_id = $1 and ${id} = $2 and status in ('QUEUED', 'RUNNING') ${isQuiet}
         returning ${columns}, livemode`,
        [platformId, jobId, ...Object.values(changes), ...(quietSince ? [quietSince] : [])],
      );
      return row ?? null;
    },

    /** Part of the retention sweep: deletes what ended (or, without an end, was created) too long ago. */
    removeOld(
      db: Database,
      rowsPerSlice: number,
      removeParts?: (tx: Tx, removed: readonly JobKey[]) => Promise<void>,
    ): Sweep {
      return (now, until) =>
        inSlices(db, `${table}s`, until, async (tx) => {
          const removed = await tx.query<JobKey & object>(
            `delete from ${table} where (platform_id, ${id}) in (
               select platform_id, ${id} from ${table} where coalesce(completed_at, created_at) < $1
               order by coalesce(completed_at, created_at) limit $2
             ) returning platform_id, ${id} as job_id`,
            [keptSince(now, RETENTION_DAYS), rowsPerSlice],
          );
          await removeParts?.(tx, removed);
          return { affected: removed.length, isLast: removed.length < rowsPerSlice };
        });
    },
  };
}

const RETRY_AFTER_S = 30;

/** Throws the error if no process executes jobs. */
export async function assertQueueServed(tx: Tx, now: Date, runsWorker: boolean, error: ErrorCode) {
  if (await isQueueServed(tx, now, runsWorker)) return;
  fail(error, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
}
