import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY_MS } from '#domain/timestamp.js';
import type { Clock } from '#kit/clock.js';
import { createJobWorker } from '#kit/jobs/jobWorker.js';
import { createKnownLog, logBatch } from '#ledger/log/batch.js';
import { signCheckpoint } from '#ledger/log/checkpoints.js';
import type { HeadFile } from '#ledger/log/heads.js';
import { logSigner, noteKey, originOf } from '#ledger/log/logKey.js';
import { createQueueDrain } from '#ledger/recompute/worker.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import { createDispatcher } from '#outbox/dispatcher.js';
import { createWebhookAdapter } from '../features/notify/webhooks/webhookAdapter.js';
import { buildApp, loadParts } from '../start/build.js';
import type { Config } from '../start/config.js';
import type { Core } from '../start/core.js';
import { assertAddressFree, listen } from '../start/listen.js';
import { beginPreparing } from '../start/prepare.js';
import { openStorage } from '../start/storage.js';
import { jobHandlers } from '../start/work.js';
import { findQueued } from './store.js';

interface SteppedOptions {
  config: Config;
  log: Logger;
  /** Milliseconds since 1970. */
  startAt: number;
}

const ANY_PORT = { role: 'all', host: '127.0.0.1', port: 0 } as const;

/**
 * Starts the service on the embedded database, at any free port of this machine, with a clock that
 * stands still but for the time that work takes. Its requests are those of the service. What runs
 * beside them (scores, log, deliveries, jobs) is done before the clock moves on, instead of by
 * loops, which cannot keep up with a year of seconds. Sweeps are run by `POST /admin/sweeps/{name}`.
 * Throws as `startService` does, also if HOST and PORT are not free.
 */
export async function startStepped({ config, log, startAt }: SteppedOptions) {
  await assertAddressFree(config);
  const clock = steppedClock(startAt);
  const storage = await openStorage({ config, poolSize: 1, log, say: () => {} });
  try {
    const parts = await loadParts('api', false);
    const { signal } = new AbortController();
    const settings = { config, log, clock, say: () => {}, isPrepared: false };
    const { deps, adminSecret, open } = await beginPreparing(settings, storage, signal);
    const app = buildApp({ ...deps, config, adminSecret }, parts);
    await storage.opened;
    await open(app).done;
    const work = workOf(app.core, deps.logHead(0));
    const address = await listen(app.server, ANY_PORT);
    return {
      address,
      /** Does what is queued, then moves the clock. A moment of the past does not move it. */
      async moveTo(ms: number): Promise<void> {
        await work.settle();
        if (Math.floor(ms / DAY_MS) > Math.floor(clock.now().getTime() / DAY_MS)) await work.logFacts();
        clock.moveTo(ms);
        work.wake();
      },
      async close(): Promise<void> {
        await work.settle();
        await work.stop();
        await work.logFacts();
        await app.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function steppedClock(startAt: number): Clock & { moveTo(ms: number): void } {
  let [at, since] = [startAt, performance.now()];
  const now = () => at + (performance.now() - since);
  return {
    now: () => new Date(now()),
    moveTo(ms) {
      [at, since] = [Math.max(ms, now()), performance.now()];
    },
  };
}

/** A result is recorded some milliseconds after its send; the clock may move on by days meanwhile. */
const LEASE_MS = 10 * DAY_MS;
const FACTS_AT_ONCE = 300;
const LOOK_EVERY_MS = 10;
const SETTLE_LIMIT_MS = 60_000;

/** The work of ROLE=worker, done when it is asked for. */
function workOf(core: Core, head: HeadFile | null) {
  const { db, clock, log, config, vault, wakes } = core;
  const drainScores = createQueueDrain({ ...core, velocityMaxPerHour: config.velocityMaxPerHour });
  const messageKeys = createKeyRing(db, vault, clock, 'message');
  const adapters = [createWebhookAdapter({ ...core, messageKeys })];
  const dispatcher = createDispatcher({ db, clock, log, adapters, leaseMs: LEASE_MS });
  const jobs = createJobWorker({ db, clock, log, handlers: jobHandlers(core), leaseMs: LEASE_MS });
  const known = createKnownLog(clock);
  let signer: ReturnType<typeof logSigner> | null = null;
  wakes.on('deliveries', dispatcher.wake);
  wakes.on('jobs', jobs.wake);
  dispatcher.start();
  jobs.start();

  return { settle, logFacts, wake, stop: () => Promise.all([dispatcher.stop(), jobs.stop()]) };

  function wake(): void {
    dispatcher.wake();
    jobs.wake();
  }

  /** Until scores are computed, deliveries sent and jobs done, as far as they are due. */
  async function settle(): Promise<void> {
    const untilMs = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const queued = await findQueued(db, clock.now());
      if (queued === null) return;
      if (performance.now() > untilMs) throw new Error('the work of a day does not end');
      wake();
      if (queued.scores) while (await drainScores(() => false));
      else await pause(LOOK_EVERY_MS);
    }
  }

  /** Appends all facts to the transparency log and signs its checkpoint. */
  async function logFacts(): Promise<void> {
    const isFirst = signer === null;
    signer ??= logSigner(originOf(config.baseUrl, db.ledgers.own), await core.logKeys.current());
    if (isFirst) await noteKey(db, signer, clock.now());
    while ((await logBatch(db, FACTS_AT_ONCE, known))?.hasMore);
    await signCheckpoint(db, signer, clock.now(), isFirst, { head });
  }
}
