import type { FastifyInstance } from 'fastify';
import { describeApi } from '../features/system/system/describeApi.js';
import type { SweepTimers } from '../features/tenancy/operator/startSweeps.js';
import type { HelperProgram } from '../kit/backpressure/helperThread.js';
import { type Database, isDatabaseUnavailable } from '../kit/db/database.js';
import type { Admission } from '../kit/http/admission.js';
import type { RateLimiter } from '../kit/rateLimit.js';
import type { HeadFile } from '../ledger/log/headFile.js';
import { DistributedGroup } from '../shape/citus/distributedGroup.js';
import { serveGroups } from '../shape/groups/groupRoutes.js';
import { openGroups } from '../shape/groups/groups.js';
import { createLateGroups } from '../shape/groups/lateGroups.js';
import { createQueueWatch } from '../shape/groups/queueWatch.js';
import { reachableGroups } from '../shape/groups/reachableGroups.js';
import type { MetricJson } from '../shape/processes/summedMetrics.js';
import { type AppGroup, buildGroup } from './appGroup.js';
import { type CoreDeps, hearTraffic, sayTraffic } from './core.js';
import { buildServer } from './webServer.js';

export interface AppDeps extends Omit<CoreDeps, 'groups' | 'first' | 'logHead'> {
  /** Where the newest checkpoint of each group's log is kept outside of the database. */
  logHead?: (group: number) => HeadFile | null;
  /** Undefined: the operator API is closed. */
  adminSecret: string | undefined;
  /** Replaces the service's own admission: a bench measures what that costs. */
  admission?: Admission;
  /** Prepares a ledger group whose node was away when the database was prepared. */
  prepareGroup?: (db: Database) => Promise<void>;
  /** The program of a thread for large imports. Undefined: the main thread does them. */
  importProgram?: HelperProgram | undefined;
  /** Time between two heartbeats of a live stream; tests shorten it. Default: 15 s. */
  streamHeartbeatMs?: number;
  /** Timers of the schedule of sweeps. A test runs sweeps itself. Default: those of Node. */
  sweepTimers?: SweepTimers;
  /** Counts the requests of several services together. Default: this one counts alone. */
  sharedLimiter?: RateLimiter | undefined;
}

/** The service, wired but not listening. */
export interface App {
  server: FastifyInstance;
  /** Of this thread and its worker thread. */
  metrics(): Promise<readonly MetricJson[]>;
  /** Call when the server listens: it tells the parent of several processes. */
  started(): void;
  /** Call when the database is migrated and has a platform: from then on keys are recognised. */
  markReady(): void;
  /**
   * Opens all ledger groups and begins to hear of changes in other processes: requests need both. Throws
   * if the database is unavailable, and can then be called again.
   * @param away groups that are not prepared, because their node is away. They are opened later.
   */
  open(away?: readonly number[]): Promise<void>;
  /** Starts what runs beside the requests, as ROLE says. Call it after `open`. */
  startWorkers(): Promise<void>;
  /** Finishes what runs: requests, appends, the workers. The database stays open. */
  close(): Promise<void>;
}

/** The one place where everything is built and joined. */
export function buildApp(given: AppDeps): App {
  const closedGroups = new Set<number>();
  const readiness = { isReady: false };
  const document = describeApi(() => first.table, given.config.baseUrl);
  const handles: Database[] = [given.db];
  const { importProgram, streamHeartbeatMs, sweepTimers } = given;
  const replaced = { importProgram, streamHeartbeatMs, sweepTimers };
  const groupsOf = {
    groups: () => handles,
    reachableGroups: () => reachableGroups(handles, closedGroups),
  };
  const common = { ...given, ...replaced, ...groupsOf, readiness, document };
  const first = buildGroup({ ...common, logHead: given.logHead?.(0) ?? null });
  const groups: AppGroup[] = [first];
  const { core } = first;
  const limiter = given.sharedLimiter ?? core.processes.limiter;
  const server = buildServer({ groups, limiter, admission: given.admission });
  const stops: (() => Promise<void> | void)[] = [];
  const watch = createQueueWatch({
    db: given.db,
    log: core.log,
    groups: () => groups.map(({ core }) => core.db),
    onQueued: (group, queued) => groups[group]?.wake(queued),
  });
  const late = createLateGroups({ db: given.db, log: core.log, closed: closedGroups, open: openLate });
  let opening = Promise.resolve();
  let isWorking = false;
  let isChoosing = false;
  const opened = new Set<AppGroup>();
  const working = new Set<AppGroup>();

  return {
    server,
    metrics: core.ownMetrics,
    started: () => core.processes.started(),
    markReady() {
      readiness.isReady = true;
    },
    async open(away = []) {
      for (const group of away) closedGroups.add(group);
      await open(first);
      await openMore();
      // From here on nothing throws, so nothing is started twice.
      stops.push(core.keyUses.start());
      if (!core.runsLoops || core.processes.areSeveral) stops.push(sayTraffic(core));
      if (core.runsLoops) hearTraffic(core);
      stops.push(core.wakes.on('groups', openLater));
    },
    async startWorkers() {
      isWorking = true;
      stops.push(first.rooms.system.start());
      for (const group of groups) await startWork(group);
      if (core.runsLoops) watch.start();
    },
    async close() {
      // First: the server waits for open answers, and streams do not end by themselves.
      await Promise.all(groups.map((group) => group.closeStreams()));
      await opening;
      // Each may take some seconds to finish what it has under way.
      await Promise.all([watch.stop(), late.stop()]);
      await Promise.all([server.close(), ...groups.map((group) => group.stopWorkers())]);
      await core.exchange.stop();
      await Promise.all(groups.map((group) => group.close()));
      for (const stop of stops) await stop();
      limiter.close();
      await core.witnessOutbound.close();
      if (!given.outbound) await core.outbound.close();
    },
  };

  /** Groups that were added since the last time, by `npm run db:groups`. */
  async function openMore(): Promise<void> {
    for (const db of (await openGroups(core.db)).slice(groups.length)) {
      handles.push(db);
      const logHead = given.logHead?.(db.ledgers.own) ?? null;
      const group = buildGroup({ ...common, db, logHead, first: core });
      groups.push(group);
      chooseGroups();
    }
    for (const group of groups) {
      await open(group);
      await startWork(group);
    }
    if (closedGroups.size === 0) return;
    core.log.warn(
      { groups: [...closedGroups] },
      'ledger groups cannot be reached; their platforms are refused',
    );
    late.start();
  }

  function chooseGroups(): void {
    if (!isChoosing) serveGroups(groups, closedGroups);
    isChoosing = true;
  }

  async function startWork(group: AppGroup): Promise<void> {
    if (!isWorking || working.has(group) || closedGroups.has(group.core.db.ledgers.own)) return;
    working.add(group);
    if (core.runsLoops && groups.length > 1) core.exchange.start();
    await group.startWorkers();
  }

  async function open(group: AppGroup): Promise<void> {
    const { db } = group.core;
    if (opened.has(group) || closedGroups.has(db.ledgers.own)) return;
    try {
      await group.open();
      opened.add(group);
    } catch (error) {
      if (!(db instanceof DistributedGroup && isDatabaseUnavailable(error))) throw error;
      closedGroups.add(db.ledgers.own);
    }
  }

  async function openLate(number: number): Promise<void> {
    const group = groups[number];
    if (!group) return;
    await given.prepareGroup?.(group.core.db);
    await group.open();
    opened.add(group);
    closedGroups.delete(number);
    await startWork(group);
  }

  function openLater(): void {
    chooseGroups(); // a group that cannot be opened is refused, not served by the first one
    opening = opening
      .then(() => openMore())
      .catch((error: unknown) => {
        core.log.warn({ err: error }, 'could not open a new ledger group');
      });
  }
}
