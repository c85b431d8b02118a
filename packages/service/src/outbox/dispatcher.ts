import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../kit/db/database.js';
import { createWakeableSleep } from '../kit/wakeableSleep.js';
import type { ChannelAdapter, TargetKind } from './channelAdapter.js';
import { claimDue, FIRST_TARGET, type HeldItem, releaseItems, removeItems } from './dispatcherStore.js';
import type { OutboxSignal } from './outboxSignal.js';
import { createResultWriter } from './resultWriter.js';
import { createTargetWindows, type Slot } from './targetWindows.js';

/** Passes on what the outbox holds: claims what is due, sends it, records what came of it. */
export interface Dispatcher {
  start(): void;
  /** Something is due: look now rather than at the next poll. */
  wake(): void;
  /** Claims nothing more; what is under way may end within four seconds, the rest is given back for others. */
  stop(): Promise<void>;
}

interface DispatcherDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  adapters: readonly ChannelAdapter<unknown, unknown>[];
  signal: Pick<OutboxSignal, 'onWritten'>;
  /** Told of each send that is over. */
  onSent?(kind: TargetKind, result: 'succeeded' | 'failed', seconds: number): void;
  /** How long a claim holds; 30 s unless told. A send must take less. */
  leaseMs?: number;
}

/** A send takes 10 s at most, and what came of it is tried to be recorded while the lease lasts. */
const LEASE_MS = 30_000;
/** What another process queued without a wake-up that reached us, or a dead one left, is found within this. */
const POLL_MS = 500;
/** A clock that stands still must not make the loop spin. */
const MIN_REST_MS = 5;
const RETRY_AFTER_FAULT_MS = 1000;
const FINISH_WITHIN_MS = 4000;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { db, clock, log, adapters, leaseMs = LEASE_MS } = deps;
  const windows = createTargetWindows(adapters);
  const resultWriter = createResultWriter({ db, clock, log, leaseMs });
  const cutOff = new AbortController();
  setMaxListeners(0, cutOff.signal);
  const underWay = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let isStopping = false;
  const sleep = createWakeableSleep();
  let unsubscribe = (): void => {};
  /** Behind which target the walk goes on that one claim could not end; what became due before it meanwhile waits for the next. */
  let after = FIRST_TARGET;
  let isDueAgain = false;
  let wasLimited = false;

  const wake = (): void => {
    if (after !== FIRST_TARGET) isDueAgain = true;
    sleep.wake();
  };
  return {
    start() {
      if (running) return;
      unsubscribe = deps.signal.onWritten(wake);
      running = loop();
    },
    wake,
    async stop() {
      isStopping = true;
      unsubscribe();
      wake();
      await running;
      const patience = setTimeout(() => {
        resultWriter.hurry();
        cutOff.abort();
      }, FINISH_WITHIN_MS);
      await Promise.all(underWay);
      clearTimeout(patience);
    },
  };

  async function loop(): Promise<void> {
    while (!isStopping) {
      sleep.reset();
      try {
        await sleep.rest(await claimOnce());
      } catch (error) {
        // Away databases are reported by readiness and by every request; the log need not repeat it each second.
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'claiming deliveries failed');
        if (isStopping) break;
        sleep.reset(); // what wakes it now would find the same fault again
        await sleep.rest(RETRY_AFTER_FAULT_MS);
      }
    }
  }

  /** Answers how long nothing is to be claimed unless a wake-up comes first. */
  async function claimOnce(): Promise<number> {
    const capacity = windows.capacity();
    if (!capacity) return POLL_MS;
    const now = clock.now();
    const leaseEndsAt = new Date(now.getTime() + leaseMs);
    const claim = await claimDue(db, { capacity, after, claim: randomUUID(), now, leaseEndsAt });
    after = claim.next ?? FIRST_TARGET;
    wasLimited = claim.isLimited;
    windows.noteClaim(capacity, countByTarget(claim.items)); // before the first of them can be over
    await dispatch(claim.items);
    await removeItems(db, claim.orphans);
    if (claim.next !== null) return 0;
    if (isDueAgain) {
      isDueAgain = false;
      return 0;
    }
    return Math.min(
      POLL_MS,
      claim.nextDueAt ? Math.max(MIN_REST_MS, claim.nextDueAt.getTime() - now.getTime()) : POLL_MS,
    );
  }

  async function dispatch(items: readonly HeldItem[]): Promise<void> {
    if (isStopping) return releaseItems(db, items, clock.now());
    for (const adapter of adapters) {
      const own = items.filter(({ kind }) => kind === adapter.kind);
      if (own.length === 0) continue;
      const targets = await loadTargets(adapter, [...new Set(own.map(({ targetId }) => targetId))]);
      await removeItems(
        db,
        own.filter(({ targetId }) => targets.get(targetId) === 'gone'),
      );
      for (const batch of inBatches(own, adapter.itemsPerSend)) {
        const target = targets.get(batch.targetId);
        if (target !== undefined && target !== 'gone') launch(adapter, target.loaded, batch);
      }
    }
  }

  type Found = { readonly loaded: unknown } | 'gone';

  /** One that cannot be loaded must not keep the others from it: its items stay claimed until their lease ends. */
  async function loadTargets(
    adapter: ChannelAdapter<unknown, unknown>,
    ids: readonly string[],
  ): Promise<Map<string, Found>> {
    try {
      const loaded = await adapter.load(db, ids);
      return new Map(ids.map((id) => [id, loaded.has(id) ? { loaded: loaded.get(id) } : 'gone']));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (ids.length === 1) {
        log.error({ err: error, kind: adapter.kind, target: ids[0] }, 'a target could not be loaded');
        return new Map();
      }
      const found = new Map<string, Found>();
      for (const id of ids) for (const entry of await loadTargets(adapter, [id])) found.set(...entry);
      return found;
    }
  }

  function launch(adapter: ChannelAdapter<unknown, unknown>, target: unknown, batch: Batch): void {
    const slot = windows.enter(adapter, batch.targetId);
    const done = carry(adapter, target, batch.items, slot).finally(() => {
      underWay.delete(done);
      slot.leave();
      if (wasLimited) wake();
    });
    underWay.add(done);
  }

  async function carry(
    adapter: ChannelAdapter<unknown, unknown>,
    target: unknown,
    items: readonly HeldItem[],
    slot: Slot,
  ): Promise<void> {
    const at = clock.now();
    const startedMs = performance.now();
    try {
      const outcome = await adapter.send(target, items, cutOff.signal);
      const isSuccess = adapter.isSuccess(outcome);
      if (slot.ended(isSuccess)) wake();
      if (cutOff.signal.aborted && !isSuccess) return await releaseItems(db, items, clock.now());
      const seconds = (performance.now() - startedMs) / 1000;
      deps.onSent?.(adapter.kind, isSuccess ? 'succeeded' : 'failed', seconds);
      wakeAt(await resultWriter.settle({ adapter, target, items, outcome, at }));
    } catch (error) {
      // Its items come due again when their lease ends.
      if (!isDatabaseUnavailable(error)) log.error({ err: error, kind: adapter.kind }, 'a delivery failed');
    }
  }

  function wakeAt(at: Date | null): void {
    const waitMs = at === null ? POLL_MS : at.getTime() - clock.now().getTime();
    if (waitMs < POLL_MS) setTimeout(wake, Math.max(0, waitMs)).unref();
  }
}

interface Batch {
  readonly targetId: string;
  readonly items: HeldItem[];
}

/** What goes in one send each: items of one target, so many at most, in their order. */
function inBatches(items: readonly HeldItem[], most: number): Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const item of items) {
    let batch = open.get(item.targetId);
    if (!batch || batch.items.length >= most) {
      batch = { targetId: item.targetId, items: [] };
      open.set(item.targetId, batch);
      batches.push(batch);
    }
    batch.items.push(item);
  }
  return batches;
}

function countByTarget(items: readonly HeldItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { targetId } of items) counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  return counts;
}
