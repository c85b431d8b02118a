import type { Reporter } from '#domain/outcomeEvent.js';
import { createYielder } from '#kit/backpressure/yielder.js';
import type { Tx } from '#kit/db/database.js';
import type { IdSource } from '#kit/ids.js';
import type { ClaimedJob, JobHandler } from '#kit/jobs/jobs.js';
import type { Ledger } from '#ledger/append/append.js';
import type { ErasedSubjects } from '#ledger/erasure/erasedSubjects.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { rowsOfChunk } from './chunks.js';
import { type MappedRows, mapRows } from './mapRows.js';
import { type ImportPlan, reopenPlan } from './plan.js';
import { inLockOrder, recordRows } from './recordRows.js';
import {
  deleteChunk,
  deleteChunks,
  endImportRow,
  findWork,
  type ImportWork,
  readChunks,
} from './workStore.js';

export const IMPORT_JOB = 'import';

type RunDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids'> & {
  erased: Pick<ErasedSubjects, 'among' | 'refresh'>;
  config: Pick<ServiceDeps['config'], 'importMaxStoredErrors'>;
  ledger: Pick<Ledger, 'appendIn'>;
  wakes: Pick<ServiceDeps['wakes'], 'raise'>;
  /**
   * True while requests need the processor. Then a chunk is read only after the one before is
   * recorded.
   */
  mustYield(): boolean;
};

/**
 * Records the rows of a file, one chunk at a time. The events, the counts and the deletion of the
 * chunk commit together. After a crash another worker continues with the first chunk that is left,
 * and no row is lost or recorded twice.
 */
export function importHandler(deps: RunDeps): JobHandler & { isRunning(): boolean } {
  const { db, clock, ids, wakes } = deps;
  let running = 0;
  return {
    kind: IMPORT_JOB,
    async run(job, until) {
      const work = await findWork(db, job.jobId);
      if (!work?.plan) return job.finish(async () => {});
      const chunks = mappedChunks(deps, work, reopenPlan(work.plan));
      running += 1;
      try {
        // While one chunk commits, the next one is read and mapped. They commit in order.
        for (let chunk = await chunks.next(); chunk; ) {
          if (until.aborted) return;
          const following = deps.mustYield() ? null : chunks.next();
          following?.catch(() => {}); // awaited below, after this one has committed
          await recordChunk(deps, job, work, chunk);
          wakes.raise('scores', 'deliveries');
          chunk = await (following ?? chunks.next());
        }
      } finally {
        running -= 1;
      }
      const { importId, reporter } = work;
      await job.finish((tx) =>
        endImport(tx, ids, clock.now(), { importId, reporter, status: 'COMPLETED', error: null }),
      );
      wakes.raise('deliveries');
    },
    async abandon(tx, importId) {
      const work = await findWork(tx, importId);
      if (!work?.plan) return;
      const now = clock.now();
      await deleteChunks(tx, importId);
      const error = INTERRUPTED;
      await endImport(tx, ids, now, { importId, reporter: work.reporter, status: 'FAILED', error });
    },
    onAbandoned: () => wakes.raise('deliveries'),
    isRunning: () => running > 0,
  };
}

const INTERRUPTED =
  'The import was interrupted by an internal error, which has been logged. The counted rows are processed; the others are ' +
  'not. If the mapping sets an idempotencyKey, you can safely send the file again.';

interface MappedChunk extends MappedRows {
  readonly chunkNo: number;
}

/**
 * Chunks per read. On the embedded database the next chunk must be in memory while one holds the
 * only connection.
 */
const CHUNKS_READ = { byOneConnection: 20, byMany: 4 } as const;

function mappedChunks(
  { db, clock, erased, mustYield }: RunDeps,
  { importId, reporter }: ImportWork,
  plan: ImportPlan,
) {
  let stored: Awaited<ReturnType<typeof readChunks>> = [];
  let lastNo = 0;
  const yieldTurn = createYielder(mustYield);
  return {
    async next(): Promise<MappedChunk | null> {
      if (stored.length === 0) {
        // A row about a subject that is erased later fails the chunk, and the next attempt knows it.
        await erased.refresh();
        stored = await readChunks(
          db,
          importId,
          lastNo,
          CHUNKS_READ[db.hasOneConnection ? 'byOneConnection' : 'byMany'],
        );
      }
      const [chunk, ...rest] = stored;
      stored = rest;
      if (!chunk) return null;
      lastNo = chunk.chunkNo;
      const options = {
        plan,
        livemode: reporter.livemode,
        now: clock.now(),
        isErased: erased.among(reporter),
        yieldTurn,
      };
      const rows = await mapRows(rowsOfChunk(chunk.rows), options);
      return { chunkNo: chunk.chunkNo, ...inLockOrder(rows, reporter) };
    },
  };
}

async function recordChunk(
  { clock, ledger, config, mustYield }: RunDeps,
  job: ClaimedJob,
  { importId, reporter }: ImportWork,
  chunk: MappedChunk,
): Promise<void> {
  await job.inLease(async (tx) => {
    // The lease excludes other workers. If it ever fails, the import stops instead of recording
    // rows twice.
    if (!(await deleteChunk(tx, importId, chunk.chunkNo))) {
      throw new Error(`chunk ${chunk.chunkNo} of import ${importId} was already recorded`);
    }
    const { importMaxStoredErrors: maxStoredErrors } = config;
    const options = { ledger, importId, reporter, maxStoredErrors, now: clock.now(), mustYield };
    await recordRows(tx, chunk, options);
  });
}

interface Ending {
  importId: string;
  reporter: Reporter;
  status: 'COMPLETED' | 'FAILED';
  error: string | null;
}

/**
 * Ends an import and writes its notification in one transaction. Does nothing if the import has
 * already ended.
 */
export async function endImport(
  tx: Tx,
  ids: IdSource,
  now: Date,
  { importId, reporter, status, error }: Ending,
): Promise<void> {
  const ended = await endImportRow(tx, reporter, importId, { status, error }, now);
  if (!ended) return;
  const { createdCount, skippedCount, failedCount } = ended;
  const { platformId, livemode } = reporter;
  const completedAt = now.toISOString();
  const data = { importJobId: importId, status, createdCount, skippedCount, failedCount, error, completedAt };
  await writeEnvelopes(tx, ids, now, [
    { type: 'import.completed', data, platformId, livemode, subjectId: null },
  ]);
}
