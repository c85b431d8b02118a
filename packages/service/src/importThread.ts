import { workerData } from 'node:worker_threads';
import {
  type ImportNotice,
  type ImportTask,
  type ImportThreadData,
  separateInThread,
  serializeError,
} from './features/intake/imports/importThread.js';
import { importHandler } from './features/intake/imports/runImport.js';
import { takeFile } from './features/intake/imports/takeFile.js';
import { type HelperPort, serveHelper } from './kit/backpressure/helperProgram.js';
import { createWideTrafficGauge } from './kit/backpressure/traffic.js';
import { createYielder } from './kit/backpressure/yielder.js';
import { systemClock } from './kit/clock.js';
import { openDatabase } from './kit/db/database.js';
import { createIdSource } from './kit/ids.js';
import type { LeasedJob } from './kit/jobs/jobStore.js';
import { createLeaseHolder } from './kit/jobs/leaseHolder.js';
import { garbageCollector } from './kit/memoryAtRest.js';
import { createLedger } from './ledger/append/append.js';
import { createErasedSubjects } from './ledger/erasure/erasedSubjects.js';
import { openGroups } from './ledger/groups/groups.js';
import { createQueueDrain } from './ledger/recompute/queue.js';
import { trackClaims } from './ledger/requests/idempotency.js';

// The program of the helper thread that reads and records large imports (docs/ARCHITECTURE.md,
// Backpressure).
const data: ImportThreadData = workerData;
const mustYield = createWideTrafficGauge(data.requests);
const collectGarbage = garbageCollector();

/** One connection records a chunk while the other reads the next. */
const POOL_SIZE = 2;

serveHelper<ImportTask, ImportNotice>((port) => {
  let recorder: Promise<Recorder> | null = null;
  return {
    async run(task, until) {
      try {
        if ('leased' in task) {
          recorder ??= openRecorder(port);
          return { result: await (await recorder).record(task.leased, until) };
        }
        if ('json' in task) return separateInThread(task);
        const result = await takeFile(task.file, createYielder(mustYield));
        return { result, transfer: [...new Set(result.chunks.map(({ buffer }) => buffer))] };
      } finally {
        // A file leaves several times its bytes, and V8 collects only when something is allocated.
        setImmediate(collectGarbage);
      }
    },
    serializeError,
    close: async () => (await recorder)?.close(),
  };
});

interface Recorder {
  record(leased: LeasedJob, until: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

async function openRecorder({ log, notify }: HelperPort<ImportNotice>): Promise<Recorder> {
  const { databaseUrl, stateFolder, group, disputeWindowMs, velocityMaxPerHour, importMaxStoredErrors } =
    data;
  if (databaseUrl === undefined) throw new Error('the embedded database belongs to the main thread');
  const options = { databaseUrl, dataDir: '', poolSize: POOL_SIZE, isGuarded: false, stateFolder, log };
  const first = await openDatabase(options);
  const db = (await openGroups(first))[group] ?? first;
  const clock = systemClock;
  const ids = createIdSource();
  const erased = createErasedSubjects(db, log);
  const queue = createQueueDrain({
    db,
    clock,
    ids,
    log,
    velocityMaxPerHour,
    mustYield,
    isImporting: () => true,
    onRecomputed: (...recomputed) => notify({ recomputed }),
  });
  const handler = importHandler({
    config: { importMaxStoredErrors },
    db,
    clock,
    ids,
    erased,
    ledger: createLedger({
      db,
      clock,
      ids,
      claims: trackClaims(),
      erased,
      disputeWindowMs,
      onAppended: () => {},
    }),
    outbox: { written: () => notify('written') },
    mustYield,
    // Without traffic the main thread recomputes scores meanwhile. Under traffic this thread
    // records and recomputes in turns.
    async scoresFollow(until) {
      if (!mustYield()) return notify('queued');
      try {
        await queue.drain(() => until.aborted);
      } catch (error) {
        log.warn({ err: error }, 'recomputing scores during an import failed; the worker recomputes them');
        notify('queued');
      }
    },
  });
  return {
    async record(leased, until) {
      const lease = createLeaseHolder({ db, clock, log, leased, until });
      try {
        await handler.run(lease.job, until);
        return lease.isOver();
      } finally {
        lease.close();
      }
    },
    close: () => first.close(),
  };
}
