import { createYielder } from '../../../kit/backpressure/yielder.js';
import type { Engine } from '../../../kit/db/database.js';
import type { ClaimedJob, JobHandler } from '../../../kit/jobs/jobs.js';
import { rowsOfChunk } from './chunks.js';
import type { ImportDeps } from './deps.js';
import { endImport } from './endImport.js';
import { type MappedRows, mapRows } from './mapRows.js';
import { type ImportPlan, reopenPlan } from './plan.js';
import { inLockOrder, recordRows } from './recordRows.js';
import { deleteChunk, deleteChunks, findWork, type ImportWork, readChunks } from './workStore.js';

export const IMPORT_JOB = 'import';

type RunDeps = Pick<ImportDeps, 'db' | 'clock' | 'ids'> & {
  config: Pick<ImportDeps['config'], 'importMaxStoredErrors'>;
  ledger: Pick<ImportDeps['ledger'], 'appendIn'>;
  outbox: Pick<ImportDeps['outbox'], 'written'>;
  /** Told after each commit that scores have to follow; resolves when the import may go on. */
  scoresFollow(until: AbortSignal): Promise<void>;
  /** Asked at every step: while requests need the processor, reading a chunk waits until the one before is recorded. */
  mustYield?(): boolean;
};

/**
 * Records the rows of a file, a chunk at a time: its events, the counts and the end of the chunk commit together, so whoever goes on
 * after a crash begins at the first chunk that is left, and no row is lost or recorded twice.
 */
export function importHandler(deps: RunDeps): JobHandler {
  const { db, clock, ids, outbox } = deps;
  return {
    kind: IMPORT_JOB,
    async run(job, until) {
      const work = await findWork(db, job.jobId);
      if (!work?.plan) return job.finish(async () => {});
      const chunks = mappedChunks(deps, work, reopenPlan(work.plan));
      // While one chunk commits the next one is read and mapped; they commit in their order.
      for (let chunk = await chunks.next(); chunk; ) {
        if (until.aborted) return;
        const following = deps.mustYield?.() ? null : chunks.next();
        following?.catch(() => {}); // it is heard once this one has committed
        await recordChunk(deps, job, work, chunk);
        await deps.scoresFollow(until);
        chunk = await (following ?? chunks.next());
      }
      const { importId, reporter } = work;
      await job.finish((tx) =>
        endImport(tx, ids, clock.now(), { importId, reporter, status: 'COMPLETED', error: null }),
      );
      outbox.written();
    },
    async abandon(tx, importId) {
      const work = await findWork(tx, importId);
      if (!work?.plan) return;
      const now = clock.now();
      await deleteChunks(tx, importId);
      const error = INTERRUPTED;
      await endImport(tx, ids, now, { importId, reporter: work.reporter, status: 'FAILED', error });
    },
    onAbandoned: () => outbox.written(),
  };
}

const INTERRUPTED =
  'The import broke off because of a fault of the service, which has been logged. The rows counted here stand; the others were ' +
  'not looked at. Sending the file again is safe where the mapping sets an idempotencyKey.';

interface MappedChunk extends MappedRows {
  readonly chunkNo: number;
}

/** So many are read at a time: the next one is at hand while its forerunner holds the only connection of an embedded database. */
const CHUNKS_READ: Readonly<Record<Engine, number>> = { postgresql: 4, pglite: 20 };

function mappedChunks(
  { db, clock, mustYield }: RunDeps,
  { importId, reporter }: ImportWork,
  plan: ImportPlan,
) {
  let stored: Awaited<ReturnType<typeof readChunks>> = [];
  let lastNo = 0;
  const yieldTurn = createYielder(mustYield);
  return {
    async next(): Promise<MappedChunk | null> {
      if (stored.length === 0) stored = await readChunks(db, importId, lastNo, CHUNKS_READ[db.engine]);
      const [chunk, ...rest] = stored;
      stored = rest;
      if (!chunk) return null;
      lastNo = chunk.chunkNo;
      const options = { plan, livemode: reporter.livemode, now: clock.now(), yieldTurn };
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
    // The lease alone keeps others off. Should it ever fail, the import breaks off rather than record rows twice.
    if (!(await deleteChunk(tx, importId, chunk.chunkNo)))
      throw new Error('a chunk of an import was done twice');
    const { importMaxStoredErrors: maxStoredErrors } = config;
    const options = { ledger, importId, reporter, maxStoredErrors, now: clock.now(), mustYield };
    await recordRows(tx, chunk, options);
  });
}
