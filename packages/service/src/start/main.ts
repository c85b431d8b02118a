import cluster from 'node:cluster';
import { isMainThread, workerData } from 'node:worker_threads';
import { createLog } from '#kit/log.js';
import { saveMemoryAtRest } from '#kit/memoryAtRest.js';
import { serveMainThread, type WorkerThreadData } from '../shape/workerThread.js';
import { type Config, readConfig } from './config.js';
import { dieOf, exitWith, STOP_LIMIT_MS, stopOnSignals } from './exit.js';
import { assertAddressFree } from './listen.js';
import { type ProcessPlan, planProcesses } from './processPlan.js';
import { startService } from './service.js';

// The program of each process, and of its worker thread, which does what ROLE=worker does. There
// `process.exit` ends the thread, and the main thread then ends the process.
const thread: WorkerThreadData | null = isMainThread ? null : workerData;
const number = thread ? thread.process : cluster.isWorker ? Number(process.argv[2]) : null;
const config = readSettings();
const log = createLog(config.logLevel, {
  role: config.role,
  ...(thread && { thread: 'worker' }),
  ...(number !== null && { process: number }),
});

process.on('unhandledRejection', (error) => dieOf(error, 'unhandled promise rejection', log));
process.on('uncaughtException', (error) => dieOf(error, 'uncaught exception', log));
// A closed stdout (`npm start | head`) must not stop the service.
process.stdout.on('error', () => undefined);

saveMemoryAtRest();

try {
  const { maxConnections } = config;
  const plan: ProcessPlan = thread
    ? { count: 1, poolSize: thread.poolSize, maxConnections, workerPoolSize: null }
    : planProcesses(config);
  if (isMainThread && cluster.isPrimary && plan.count > 1) {
    // The processes do not check the port: they would answer on it.
    await assertAddressFree(config);
    const { supervise } = await import('../shape/processes/supervisor.js');
    supervise(plan.count, STOP_LIMIT_MS, log);
  } else await run(plan);
} catch (error) {
  exitWith(error, log);
}

function readSettings(): Config {
  try {
    return readConfig();
  } catch (error) {
    return exitWith(error, createLog('fatal', {}));
  }
}

/** Runs the service in this thread until it is stopped. */
async function run(plan: ProcessPlan): Promise<void> {
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  const stop = () => {
    // No request has been accepted before the service runs.
    if (!service) process.exit(0);
    service.stop().then(
      () => {
        if (isMainThread) log.info('stopped');
        process.exit(0);
      },
      (error) => dieOf(error, 'stopping failed', log),
    );
  };
  if (thread)
    serveMainThread({
      metrics: async () => (await service?.metrics()) ?? [],
      wake: (group, topic) => service?.wake(group, topic),
      stop,
    });
  else stopOnSignals(stop, log);
  service = await startService({
    config: thread ? { ...config, role: 'worker' } : config,
    plan,
    log,
    process: number,
    isPrepared: thread !== null,
    say: (text) => void process.stdout.write(`${text}\n`),
    onFatal: (error) => exitWith(error, log),
  });
}
