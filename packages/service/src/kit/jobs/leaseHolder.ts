import type { Clock } from '../clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable, type Tx } from '../db/database.js';
import { deleteJob, type LeasedJob, lockLeased, renewLease } from './jobStore.js';
import { type ClaimedJob, LeaseLost } from './jobs.js';

/** A claim that is renewed between the transactions of its job. */
export interface LeaseHolder {
  readonly job: ClaimedJob;
  /** The job was finished, so its row is gone. */
  isOver(): boolean;
  /** Ends the renewal. */
  close(): void;
}

interface LeaseDeps {
  db: Database;
  clock: Clock;
  log: DatabaseLog;
  leased: LeasedJob;
  leaseMs?: number;
  until: AbortSignal;
}

/** How long a claim is valid without a renewal. */
export const LEASE_MS = 30_000;

export function createLeaseHolder({
  db,
  clock,
  log,
  leased,
  leaseMs = LEASE_MS,
  until,
}: LeaseDeps): LeaseHolder {
  const leaseEnd = () => new Date(clock.now().getTime() + leaseMs);
  const { jobId } = leased;
  let isOver = false;
  let open = 0;
  const timer = setInterval(renewBetween, leaseMs / 3);
  timer.unref();
  return {
    job: {
      jobId,
      platformId: leased.platformId,
      attempt: leased.failures + leased.deaths + 1,
      async inLease(work) {
        if (until.aborted) throw new LeaseLost(jobId);
        return locked(work, async (tx) => {
          await renewLease(tx, leased, leaseEnd()); // last: the full lease starts when others can see it
        });
      },
      async finish(work) {
        const result = await locked(work, (tx) => deleteJob(tx, leased));
        isOver = true;
        return result;
      },
    },
    isOver: () => isOver,
    close: () => clearInterval(timer),
  };

  async function locked<T>(work: (tx: Tx) => Promise<T>, end: (tx: Tx) => Promise<void>): Promise<T> {
    open += 1;
    try {
      return await db.transaction(async (tx) => {
        if (!(await lockLeased(tx, leased))) throw new LeaseLost(jobId);
        const result = await work(tx);
        await end(tx);
        return result;
      });
    } finally {
      open -= 1;
    }
  }

  /** Not needed while a transaction is open: it locks the row. */
  function renewBetween(): void {
    if (open > 0) return;
    renewLease(db, leased, leaseEnd()).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error))
        log.warn({ err: error, jobId }, 'could not renew the lease of a job');
    });
  }
}
