import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Clock, systemClock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import type { ClaimedJob, JobHandler } from '#kit/jobs/jobs.js';
import { enqueueJob } from '#kit/jobs/jobs.js';
import { createJobWorker, type JobWorker } from '#kit/jobs/jobWorker.js';

export const KIND = 'test-work';

/** The numbers that each job wrote: the tests' table of completed work. */
export async function makeWorkTable(db: Database): Promise<void> {
  await db.execute(
    'create table if not exists work_done (place bigint generated always as identity, job_id uuid, chunk integer)',
  );
}

export async function note(tx: Tx, jobId: string, chunk: number): Promise<void> {
  await tx.execute('insert into work_done (job_id, chunk) values ($1, $2)', [jobId, chunk]);
}

export async function chunksOf(db: Database, jobId: string): Promise<number[]> {
  const rows = await db.query<{ chunk: number }>(
    'select chunk from work_done where job_id = $1 order by place',
    [jobId],
  );
  return rows.map((row) => row.chunk);
}

export async function queue(
  db: Database,
  count: number,
  { kind = KIND, platformId = randomUUID() }: { kind?: string; platformId?: string } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [index, jobId] of ids.entries()) {
    // Different due times keep the order.
    const at = new Date(Date.now() - count + index);
    await db.transaction((tx) => enqueueJob(tx, { jobId, kind, platformId }, at));
  }
  return ids;
}

export interface JobRow {
  claim: string | null;
  failures: number;
  deaths: number;
  dueAt: Date;
}

export function jobRow(db: Database, jobId: string): Promise<JobRow | undefined> {
  return db
    .query<JobRow>('select claim, failures, deaths, due_at from job where job_id = $1', [jobId])
    .then(([row]) => row);
}

interface WorkerOptions {
  clock?: Clock;
  leaseMs?: number;
  handlers?: readonly JobHandler[];
}

/** A worker that is not started. */
export function jobWorkerOn(
  db: Database,
  handler: JobHandler,
  { clock = systemClock, leaseMs = 30_000 }: WorkerOptions = {},
): JobWorker {
  const log = pino({ level: 'silent' });
  const retryWaitsMs = [1, 1, 1, 1];
  return createJobWorker({
    db,
    clock,
    log,
    handlers: [handler],
    leaseMs,
    retryWaitsMs,
    pollMs: 500,
  });
}

/** A handler of the tests' kind. Abandoned jobs are recorded in `abandoned`. */
export function handlerOf(
  run: (job: ClaimedJob, until: AbortSignal) => Promise<void>,
  abandon: (tx: Tx, jobId: string, reason: string) => Promise<void> = async () => {},
): JobHandler & { abandoned: { jobId: string; reason: string }[]; emitted: number } {
  const handler = {
    kind: KIND,
    abandoned: [] as { jobId: string; reason: string }[],
    emitted: 0,
    run,
    async abandon(tx: Tx, jobId: string, reason: string) {
      await abandon(tx, jobId, reason);
      handler.abandoned.push({ jobId, reason });
    },
    onAbandoned() {
      handler.emitted += 1;
    },
  };
  return handler;
}

/** A gate: callers wait until it opens. */
export function gate(): { wait(): Promise<void>; open(): void; readonly waiting: number } {
  let release = (): void => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  return {
    wait() {
      waiting += 1;
      return opened;
    },
    open: () => release(),
    get waiting() {
      return waiting;
    },
  };
}

/** The system clock, ahead by an offset. */
export function aheadBy(ms: number): Clock {
  return { now: () => new Date(Date.now() + ms) };
}
