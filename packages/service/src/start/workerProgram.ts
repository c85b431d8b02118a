import { workerData } from 'node:worker_threads';
import { createLog } from '../kit/log.js';
import { saveMemoryAtRest } from '../kit/memoryAtRest.js';
import { serveMainThread, type WorkerThreadData } from '../shape/workerThread.js';
import { readConfig } from './config.js';
import { dieOf, exitWith } from './exit.js';
import type { RunningService } from './serving.js';
import { startService } from './startup.js';

// The program of the worker thread: what ROLE=worker does. Here `process.exit` ends the thread, and the
// main thread then ends the process.
const { poolSize }: WorkerThreadData = workerData;
const config = { ...readConfig(), role: 'worker' as const };
/** Of several processes. */
const number = process.argv[2];
const fields = { role: 'all', thread: 'worker', ...(number !== undefined && { process: Number(number) }) };
const log = createLog(config.logLevel, fields);
const plan = { count: 1, poolSize, maxConnections: config.maxConnections, workerPoolSize: null };
let service: RunningService | undefined;

process.on('unhandledRejection', (error) => dieOf(error, 'unhandled promise rejection', log));
process.on('uncaughtException', (error) => dieOf(error, 'uncaught exception', log));
serveMainThread({
  metrics: async () => (await service?.metrics()) ?? [],
  stop() {
    if (!service) process.exit(0);
    service.stop().then(
      () => process.exit(0),
      (error) => dieOf(error, 'stopping failed', log),
    );
  },
});
saveMemoryAtRest();
try {
  service = await startService({
    config,
    plan,
    log,
    say: () => undefined,
    isPrepared: true,
    onFatal: (error) => exitWith(error, log),
  });
} catch (error) {
  exitWith(error, log);
}
