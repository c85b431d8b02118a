import { createJobSlots, createJobWorker } from '#kit/jobs/jobWorker.js';
import { erasureJobs } from '#ledger/erasure/eraseSubject.js';
import { createExchange } from '#ledger/links/exchange.js';
import type { HeadFile } from '#ledger/log/heads.js';
import { originOf } from '#ledger/log/logKey.js';
import { createSequencer } from '#ledger/log/sequencer.js';
import { createRecomputeWorker } from '#ledger/recompute/worker.js';
import { createKeyRing } from '#ledger/signingKeys.js';
import { createDispatcher } from '#outbox/dispatcher.js';
import { shareSends } from '#outbox/targetWindows.js';
import { backtestJobs } from '../features/insight/backtest/backtestJobs.js';
import { screeningJobs } from '../features/insight/screenings/screeningJobs.js';
import { importHandler } from '../features/intake/imports/runImport.js';
import { createChannelAdapter } from '../features/notify/channels/channelAdapter.js';
import { createMailer } from '../features/notify/channels/senders.js';
import { createWebhookAdapter } from '../features/notify/webhooks/webhookAdapter.js';
import { type SweepTimers, startSweeps } from '../features/tenancy/operator/sweeps.js';
import { createWitnessOutbound } from '../features/transparency/witness/askWitness.js';
import { createCosigning } from '../features/transparency/witness/cosigning.js';
import type { QueuedWork } from '../shape/groups/queueWatch.js';
import type { Core } from './core.js';
import { buildSweeps } from './sweeps.js';

export function shareWork({ clock, log, groups, groupWakes }: Core) {
  return {
    sendsOf: shareSends(),
    slots: createJobSlots(),
    witnessOutbound: createWitnessOutbound(),
    /** Brings tallies of linked subjects to other groups. */
    exchange: createExchange({
      groups,
      clock,
      log,
      onQueued: (group) => groupWakes.get(group)?.raise('scores'),
    }),
  };
}

/** All kinds of jobs. */
export function jobHandlers(core: Core, imports = importHandler(core)) {
  return [screeningJobs(core), backtestJobs(core), imports, erasureJobs(core)];
}

interface WorkOptions {
  shared: ReturnType<typeof shareWork>;
  logHead: HeadFile | null;
  sweepTimers: SweepTimers | undefined;
}

export type Work = ReturnType<typeof buildWork>;

/** Scores, transparency log, deliveries, jobs and sweeps: what ROLE=worker does. */
export function buildWork(core: Core, { shared, logHead, sweepTimers }: WorkOptions) {
  const { config, db, vault, clock, log, metrics, wakes, pressure } = core;
  const { exchange, witnessOutbound: outbound } = shared;
  const scores = createRecomputeWorker({
    ...core,
    velocityMaxPerHour: config.velocityMaxPerHour,
    isPressed: pressure.isHigh,
    onRecomputed({ emitted, queued, shared: forOthers }, records, lagSeconds) {
      if (emitted > 0) wakes.raise(queued > 0 ? 'deliveries' : 'envelopes');
      if (forOthers > 0) exchange.wake();
      metrics.recomputedRecords.inc(records);
      for (const seconds of lagSeconds) metrics.recomputeLagSeconds.observe(seconds);
    },
  });
  const { logWitnesses: witnesses, logWitnessQuorum: quorum, smtpUrl, smtpFrom: from, baseUrl } = config;
  const cosigning = createCosigning({ db, clock, log, outbound, witnesses, quorum });
  const imports = importHandler(core);
  const sequencer = createSequencer({
    db,
    clock,
    log,
    keys: core.logKeys,
    origin: originOf(baseUrl, db.ledgers.own),
    head: logHead,
    needsWitnesses: quorum > 0,
    onSigned: cosigning.wake,
    // On a server a rest would only delay the same work, but the scores of an import come first.
    isPressed: () => (db.hasOneConnection ? pressure.isHigh() : imports.isRunning()),
  });
  const mailer = smtpUrl ? createMailer({ smtpUrl, from, baseUrl }) : null;
  const messageKeys = createKeyRing(db, vault, clock, 'message');
  const dispatcher = createDispatcher({
    db,
    clock,
    log,
    budget: shared.sendsOf(),
    adapters: [
      createWebhookAdapter({ ...core, messageKeys }),
      createChannelAdapter({ ...core, mailer, baseUrl }),
    ],
    onSent(kind, result, seconds) {
      metrics.deliveryAttempts.inc({ kind, result });
      metrics.deliverySeconds.observe({ kind }, seconds);
    },
  });
  const handlers = jobHandlers(core, imports);
  const jobs = createJobWorker({ db, clock, log, handlers, slots: shared.slots });
  const loops = [scores, sequencer, cosigning];
  let stopSweeps = async () => {};

  return {
    start() {
      for (const loop of [...loops, dispatcher, jobs]) loop.start();
      const sweeps = buildSweeps(core).scheduled;
      stopSweeps = startSweeps({ sweeps, clock, log, timers: sweepTimers });
      wakes.on('scores', scores.wake);
      wakes.on('facts', sequencer.wake);
      wakes.on('deliveries', dispatcher.wake);
      wakes.on('jobs', jobs.wake);
    },
    wake(queued: QueuedWork) {
      if (queued.scores) scores.wake();
      if (queued.facts) sequencer.queued();
      if (queued.deliveries) dispatcher.wake();
      if (queued.jobs) jobs.wake();
    },
    async stop() {
      await Promise.all([dispatcher.stop(), jobs.stop()]);
      await Promise.all([stopSweeps(), ...loops.map((loop) => loop.stop())]);
      mailer?.close();
    },
  };
}
