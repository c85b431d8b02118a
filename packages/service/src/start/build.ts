import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import type { Topic } from '#kit/db/wakes.js';
import type { Admission } from '#kit/http/admission.js';
import type { RateLimiter } from '#kit/rateLimit.js';
import type { HeadFile } from '#ledger/log/heads.js';
import { noteWindow } from '#ledger/settingsInForce.js';
import type { SweepTimers } from '../features/tenancy/operator/sweeps.js';
import { DistributedGroup } from '../shape/citus/distributedGroup.js';
import { serveGroups } from '../shape/groups/groupRoutes.js';
import { openGroups, reachableGroups } from '../shape/groups/groups.js';
import { createLateGroups, createQueueWatch } from '../shape/groups/queueWatch.js';
import type { Api, ApiOptions } from './api.js';
import type { Config } from './config.js';
import { buildCore, type Core, type CoreDeps } from './core.js';
import type { Work } from './work.js';

/**
 * What a thread runs. The worker thread loads no route and no page.
 * @param hasWorkerThread another thread of this process does the work.
 */
export async function loadParts(role: Config['role'], hasWorkerThread: boolean) {
  const [api, work] = await Promise.all([
    role === 'worker' ? null : import('./api.js'),
    role === 'api' || hasWorkerThread ? null : import('./work.js'),
  ]);
  return { api, work };
}

type Parts = Awaited<ReturnType<typeof loadParts>>;

export interface AppDeps
  extends Omit<CoreDeps, 'groups' | 'first'>,
    Pick<ApiOptions, 'adminSecret' | 'importProgram' | 'streamHeartbeatMs'> {
  logHead?: (group: number) => HeadFile | null;
  /** Replaces the service's own admission: a bench measures what that costs. */
  admission?: Admission;
  /** Prepares a ledger group whose node was away when the database was prepared. */
  prepareGroup?: (db: Database) => Promise<void>;
  /** Timers of the schedule of sweeps. A test runs sweeps itself. Default: those of Node. */
  sweepTimers?: SweepTimers;
  /** Counts the requests of several services together. Default: this one counts alone. */
  sharedLimiter?: RateLimiter | undefined;
}

/** Everything that serves the platforms of one ledger group. */
interface Group {
  readonly core: Core;
  readonly api: Api | null;
  readonly work: Work | null;
  readonly stops: (() => Promise<void> | void)[];
  isOpen: boolean;
  isWorking: boolean;
}

export type App = ReturnType<typeof buildApp>;

/** The service, wired but not listening: the one place where everything is built and joined. */
export function buildApp(given: AppDeps, parts: Parts) {
  const handles: Database[] = [given.db];
  const groups: Group[] = [];
  const apis: Api[] = [];
  /** Groups that this process does not serve yet. */
  const closed = new Set<number>();
  const readiness = { isReady: false };
  let shared: ReturnType<NonNullable<Parts['work']>['shareWork']> | undefined;
  const first = addGroup(given.db);
  const { core, api } = first;
  const { log } = core;
  const limiter = given.sharedLimiter ?? core.processes.limiter;
  const { admission } = given;
  const server = (api && parts.api?.buildServer(api, apis, { limiter, admission })) ?? null;
  const stops: (() => Promise<void> | void)[] = [];
  const watch = createQueueWatch({
    db: given.db,
    log,
    groups: () => groups.map(({ core }) => core.db),
    onQueued: (group, queued) => groups[group]?.work?.wake(queued),
  });
  const late = createLateGroups({ db: given.db, log, closed, open: openLate });
  let opening = Promise.resolve();
  let isWorking = false;
  let isChoosing = false;

  return {
    /** Of the first ledger group. */
    core,
    /** Null: this thread answers no requests. */
    server,
    /** Of this thread and its worker thread. */
    metrics: core.ownMetrics,
    /** Another thread of this process has raised it for a ledger group. */
    wake: (group: number, topic: Topic) => groups[group]?.core.wakes.raise(topic),
    /** Call when the server listens: it tells the parent of several processes. */
    started: () => core.processes.started(),
    /** Call when the database is migrated and has a platform: from then on keys are recognised. */
    markReady() {
      readiness.isReady = true;
    },
    /**
     * Opens all ledger groups and begins to hear of changes in other processes: requests need both. Throws
     * if the database is unavailable, and can then be called again.
     * @param away groups that are not prepared, because their node is away. They are opened later.
     */
    async open(away: readonly number[] = []) {
      for (const group of away) closed.add(group);
      await openMore();
      // From here on nothing throws, so nothing is started twice.
      if (api) stops.push(core.keyUses.start());
      const { traffic, pressure, wakes } = core;
      if (!parts.work || core.processes.areSeveral) {
        stops.push(traffic.startSignals(() => wakes.raise('traffic')));
        stops.push(pressure.startSignals(() => wakes.raise('pressure')));
      }
      if (parts.work) {
        wakes.on('traffic', traffic.noteSignal);
        wakes.on('pressure', pressure.noteSignal);
      }
      stops.push(wakes.on('groups', openLater));
    },
    /** Starts what runs beside the requests. Call it after `open`. */
    startWork() {
      isWorking = true;
      if (api) stops.push(api.system.start());
      for (const group of groups) startWork(group);
      if (parts.work) watch.start();
    },
    /** Finishes what runs: requests, appends, the loops. The database stays open. */
    async close() {
      // First: the server waits for open answers, and streams do not end by themselves.
      await Promise.all(groups.map((group) => group.api?.notify.streams.close()));
      await opening;
      // Each may take some seconds to finish what it has under way.
      await Promise.all([watch.stop(), late.stop()]);
      await Promise.all([server?.close(), ...groups.map(({ work }) => work?.stop())]);
      await shared?.exchange.stop();
      await Promise.all(groups.map(close));
      for (const stop of stops) await stop();
      limiter.close();
      await shared?.witnessOutbound.close();
      if (!given.outbound) await core.outbound.close();
    },
  };

  function addGroup(db: Database): Group {
    const core = buildCore({ ...given, db, groups: () => handles, first: groups[0]?.core });
    const reachable = () => reachableGroups(handles, closed);
    const api = parts.api?.buildApi(core, { ...given, readiness, reachableGroups: reachable }) ?? null;
    if (api) apis.push(api);
    shared ??= parts.work?.shareWork(core);
    const logHead = given.logHead?.(db.ledgers.own) ?? null;
    const { sweepTimers } = given;
    const work = shared ? (parts.work?.buildWork(core, { shared, logHead, sweepTimers }) ?? null) : null;
    const group = { core, api, work, stops: [], isOpen: false, isWorking: false };
    groups.push(group);
    return group;
  }

  /** Groups that were added since the last time, by `npm run db:groups`. */
  async function openMore(): Promise<void> {
    for (const db of (await openGroups(core.db)).slice(groups.length)) {
      handles.push(db);
      addGroup(db);
      chooseGroups();
    }
    for (const group of groups) {
      await openUnlessAway(group);
      startWork(group);
    }
    if (closed.size === 0) return;
    log.warn({ groups: [...closed] }, 'ledger groups cannot be reached; their platforms are refused');
    late.start();
  }

  function chooseGroups(): void {
    if (!isChoosing) serveGroups(apis, closed);
    isChoosing = true;
  }

  async function openUnlessAway(group: Group): Promise<void> {
    const { db } = group.core;
    if (group.isOpen || closed.has(db.ledgers.own)) return;
    try {
      await open(group);
    } catch (error) {
      if (!(db instanceof DistributedGroup && isDatabaseUnavailable(error))) throw error;
      closed.add(db.ledgers.own);
    }
  }

  /** Begins to hear of changes in other processes. */
  async function open(group: Group): Promise<void> {
    if (group.isOpen) return;
    const { core, api, stops } = group;
    const { db, config, clock, wakes, erased } = core;
    await noteWindow(db, 'disputes', config.disputeWindowMs, clock.now());
    await noteWindow(db, 'reviews', config.reviewWindowMs, clock.now());
    const stopHearing = await wakes.listen();
    stops.push(await erased.start());
    if (api) stops.push(api.tenancy.start());
    stops.push(
      wakes.on('cluster', (isRaised) => {
        if (!isRaised) return;
        // Positions that were read on the former node mean nothing on the new one.
        api?.notify.streams.restart();
        erased.changed().catch((error: unknown) => {
          log.warn({ err: error }, 'could not read erased subjects after a move; they are read again soon');
        });
      }),
      stopHearing,
    );
    group.isOpen = true;
  }

  function startWork(group: Group): void {
    if (!isWorking || group.isWorking || closed.has(group.core.db.ledgers.own)) return;
    group.isWorking = true;
    if (groups.length > 1) shared?.exchange.start();
    group.work?.start();
  }

  async function openLate(number: number): Promise<void> {
    const group = groups[number];
    if (!group) return;
    await given.prepareGroup?.(group.core.db);
    await open(group);
    closed.delete(number);
    startWork(group);
  }

  function openLater(): void {
    chooseGroups(); // a group that cannot be opened is refused, not served by the first one
    opening = opening.then(openMore).catch((error: unknown) => {
      log.warn({ err: error }, 'could not open a new ledger group');
    });
  }

  async function close({ core, api, stops }: Group): Promise<void> {
    await api?.intake.close();
    await api?.subjects.close();
    await core.ledger.idle();
    for (const stop of stops) await stop();
    await api?.insight.close();
    await api?.tenancy.close();
  }
}
