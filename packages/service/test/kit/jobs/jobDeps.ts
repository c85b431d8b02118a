import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Clock, systemClock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import { type ClaimedJob, enqueueJob, type JobHandler } from '#kit/jobs/jobs.js';
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
  const text = 'select chunk from work_done where job_id = $1 order by place';
  return (await db.query<{ chunk: number }>(text, [jobId])).map((row) => row.chunk);
}

export async function queue(db: Database, count: number, platformId = randomUUID()): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [index, jobId] of ids.entries()) {
    // Different due times keep the order.
    const at = new Date(Date.now() - count + index);
    await db.transaction((tx) => enqueueJob(tx, { jobId, kind: KIND, platformId }, at));
  }
  return ids;
}

export async function jobRow(db: Database, jobId: string) {
  const [row] = await db.query<{ claim: string | null; failures: number; deaths: number; dueAt: Date }>(
    'select claim, failures, deaths, due_at from job where job_id = $1',
    [jobId],
  );
  return row;
}

/** A worker that is not started. */
export function jobWorkerOn(
  db: Database,
  handler: JobHandler,
  { clock = systemClock, leaseMs = 30_000 }: { clock?: Clock; leaseMs?: number } = {},
): JobWorker {
  const log = pino({ level: 'silent' });
  return createJobWorker({
    db,
    clock,
    log,
    handlers: [handler],
    leaseMs,
    retryWaitsMs: [1, 1, 1, 1],
    pollMs: 500,
  });
}

type Run = (job: ClaimedJob, until: AbortSignal) => Promise<void>;

/** A handler of the tests' kind, with the attempts so far and the jobs that it had to abandon. */
export function handlerOf(run: Run, abandon = async (_tx: Tx, _jobId: string): Promise<void> => {}) {
  const handler = {
    kind: KIND,
    attempts: [] as number[],
    abandoned: [] as { jobId: string; reason: string }[],
    emitted: 0,
    run(job: ClaimedJob, until: AbortSignal) {
      handler.attempts.push(job.attempt);
      return run(job, until);
    },
    async abandon(tx: Tx, jobId: string, reason: string) {
      await abandon(tx, jobId);
      handler.abandoned.push({ jobId, reason });
    },
    onAbandoned() {
      handler.emitted += 1;
    },
  };
  return handler;
}

export const finish: Run = (job) => job.finish(async () => {});

export function noteChunk(job: ClaimedJob, chunk: number): Promise<void> {
  return job.inLease((tx) => note(tx, job.jobId, chunk));
}
