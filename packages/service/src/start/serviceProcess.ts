import type { FastifyBaseLogger } from 'fastify';
import { systemClock } from '../kit/clock.js';
import type { Config } from './config.js';
import { dieOf, exitWith, FAILED, SAME_SIGNAL_MS, STOP_LIMIT_MS } from './exit.js';
import type { ProcessPlan } from './processPlan.js';
import type { RunningService } from './serving.js';
import { startService } from './startup.js';

interface ServiceOptions {
  config: Config;
  log: FastifyBaseLogger;
  plan: ProcessPlan;
}

/** Runs the service in this process until a signal. Throws what startService throws. */
export async function runService({ config, log, plan }: ServiceOptions): Promise<void> {
  let service: RunningService | undefined;
  let stopRequestedMs: number | undefined;
  process.on('SIGTERM', stopOn);
  process.on('SIGINT', stopOn);
  service = await startService({
    config,
    plan,
    log,
    say: (text) => process.stdout.write(`${text}\n`),
    onFatal: (error) => exitWith(error, log),
  });

  function stopOn(signal: NodeJS.Signals): void {
    const nowMs = systemClock.now().getTime();
    if (stopRequestedMs !== undefined) {
      if (nowMs - stopRequestedMs > SAME_SIGNAL_MS) process.exit(FAILED);
      return;
    }
    stopRequestedMs = nowMs;
    // No request has been accepted before the service runs.
    if (!service) process.exit(0);
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.fatal({ limitMs: STOP_LIMIT_MS }, 'stopping took too long; remaining work is cut off');
      process.exit(FAILED);
    }, STOP_LIMIT_MS).unref();
    service.stop().then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (error) => dieOf(error, 'stopping failed', log),
    );
  }
}
