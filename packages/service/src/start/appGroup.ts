import type { RouteTable } from '../kit/http/route.js';
import { createJobWorker } from '../kit/jobs/jobWorker.js';
import { erasureJobs } from '../ledger/erasure/erasureJob.js';
import { noteDisputeWindow } from '../ledger/settingsInForce.js';
import { createDispatcher } from '../outbox/dispatcher.js';
import type { QueuedWork } from '../shape/groups/queueWatch.js';
import { buildCore, type Core, type CoreDeps } from './core.js';
import { buildRooms, type RoomDeps, type Rooms } from './rooms.js';
import { buildRoutes } from './routes.js';

export type GroupDeps = CoreDeps & Omit<RoomDeps, keyof Core>;

/** Everything that serves the platforms of one ledger group. */
export interface AppGroup {
  core: Core;
  rooms: Rooms;
  table: RouteTable;
  /** Begins to hear of changes in other processes, which requests need. */
  open(): Promise<void>;
  /** Starts what runs beside the requests, as ROLE says. Call it after `open`. */
  startWorkers(): Promise<void>;
  /** Wakes the loops that have something to do. */
  wake(queued: QueuedWork): void;
  /** Ends the open streams. */
  closeStreams(): Promise<void>;
  /** Finishes the deliveries and jobs that run. */
  stopWorkers(): Promise<unknown>;
  /** Finishes all else. Call it when no requests run. */
  close(): Promise<void>;
}

export function buildGroup(given: GroupDeps): AppGroup {
  const core = buildCore(given);
  const { adminSecret, readiness, reachableGroups, importProgram, streamHeartbeatMs, sweepTimers, document } =
    given;
  const deps = {
    ...core,
    adminSecret,
    readiness,
    reachableGroups,
    importProgram,
    streamHeartbeatMs,
    sweepTimers,
    document,
  };
  const rooms = buildRooms(deps);
  const table = buildRoutes(rooms, deps);
  const dispatcher = dispatcherOf(core, rooms);
  const jobWorker = jobWorkerOf(core, rooms);
  const stops: (() => Promise<void> | void)[] = [];

  return {
    core,
    rooms,
    table,
    async open() {
      await noteDisputeWindow(core.db, core.config.disputeWindowMs, core.clock.now());
      const stopHearing = await core.wakes.listen();
      stops.push(await core.erased.start(), rooms.tenancy.start());
      stops.push(
        core.wakes.on('cluster', (isRaised) => isRaised && followCluster()),
        stopHearing,
      );
    },
    async startWorkers() {
      if (!core.runsLoops) return;
      core.worker.start();
      core.sequencer.start();
      core.cosigning.start();
      dispatcher.start();
      jobWorker.start();
      stops.push(
        () => core.worker.stop(),
        () => core.sequencer.stop(),
        () => core.cosigning.stop(),
        rooms.tenancy.startSweeps(),
      );
      core.wakes.on('scores', core.worker.wake);
      core.wakes.on('facts', core.sequencer.wake);
      core.wakes.on('deliveries', dispatcher.wake);
      core.wakes.on('jobs', jobWorker.wake);
    },
    wake(queued) {
      if (queued.scores) core.worker.wake();
      if (queued.facts) core.sequencer.queued();
      if (queued.deliveries) dispatcher.wake();
      if (queued.jobs) jobWorker.wake();
    },
    closeStreams: () => rooms.notify.streams.close(),
    stopWorkers: () => Promise.all([dispatcher.stop(), jobWorker.stop()]),
    async close() {
      await rooms.intake.close();
      await core.ledger.idle();
      for (const stop of stops) await stop();
      rooms.notify.closeMailer();
      await rooms.insight.close();
    },
  };

  /** Positions that were read on the former node mean nothing on the new one. */
  function followCluster(): void {
    rooms.notify.streams.restart();
    core.erased.changed().catch((error: unknown) => {
      core.log.warn({ err: error }, 'could not read erased subjects after a move; they are read again soon');
    });
  }
}

function dispatcherOf({ db, clock, log, metrics, shareSends }: Core, { notify }: Rooms) {
  return createDispatcher({
    db,
    clock,
    log,
    budget: shareSends(),
    adapters: notify.adapters,
    onSent(kind, result, seconds) {
      metrics.deliveryAttempts.inc({ kind, result });
      metrics.deliverySeconds.observe({ kind }, seconds);
    },
  });
}

function jobWorkerOf(core: Core, { insight, intake }: Rooms) {
  const { db, clock, log, jobSlots: slots } = core;
  const handlers = [...insight.jobHandlers, ...intake.jobHandlers, erasureJobs(core)];
  return createJobWorker({ db, clock, log, handlers, slots });
}
