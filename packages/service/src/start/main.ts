import cluster from 'node:cluster';
import { createLog } from '../kit/log.js';
import { saveMemoryAtRest } from '../kit/memoryAtRest.js';
import { type Config, readConfig } from './config.js';
import { dieOf, exitWith, STOP_LIMIT_MS } from './exit.js';
import { assertAddressFree } from './listening.js';
import { planProcesses } from './processPlan.js';
import { runService } from './serviceProcess.js';

const config = readSettings();
const number = Number(process.argv[2] ?? 1);
const log = createLog(config.logLevel, { role: config.role, ...(cluster.isWorker && { process: number }) });

process.on('unhandledRejection', (error) => dieOf(error, 'unhandled promise rejection', log));
process.on('uncaughtException', (error) => dieOf(error, 'uncaught exception', log));
// A closed stdout (`npm start | head`) must not stop the service.
process.stdout.on('error', () => undefined);

saveMemoryAtRest();

try {
  const plan = planProcesses(config);
  if (cluster.isPrimary && plan.count > 1) {
    // The processes do not check the port: they would answer on it.
    await assertAddressFree(config);
    const { supervise } = await import('../shape/processes/supervisor.js');
    supervise(plan.count, STOP_LIMIT_MS, log);
  } else await runService({ config, log, plan });
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
