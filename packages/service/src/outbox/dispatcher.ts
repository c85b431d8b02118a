import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import type { FastifyBaseLogger } from 'fastify';
import { createPollingLoop } from '#kit/backgroundLoop.js';
import { createBatcher } from '#kit/batcher.js';
import type { Clock } from '#kit/clock.js';
import { type Database, endWith, isDatabaseUnavailable, type Tx } from '#kit/db/database.js';
import { pollOfGroup } from '#kit/db/groups.js';
import { groupBy } from '#kit/lists.js';
import { endFailed, tracer } from '#kit/tracing.js';
import type { ChannelAdapter, ClaimedItem, EndedSend, TargetKind } from './channelAdapter.js';
import { claimDue, FIRST_TARGET, postponeItems, releaseItems, removeItems } from './dispatcherStore.js';
import { createTargetWindows, type SendBudget, type Slot } from './targetWindows.js';

type Adapter = ChannelAdapter<unknown, unknown>;

const GONE = Symbol('gone');

interface DispatcherDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  adapters: readonly Adapter[];
  onSent?(kind: TargetKind, result: 'succeeded' | 'failed', seconds: number): void;
  budget?: SendBudget | undefined;
  /** How long it may sleep unless it is woken or an item becomes due. */
  pollMs?: number;
  leaseMs?: number;
}

/** A send takes at most 10 s; its result is recorded within the rest of the lease. */
const LEASE_MS = 30_000;
/** The queue is watched (queueWatch.ts), also for items of a process that died. */
const POLL_MS = 10_000;
/** Keeps the loop from spinning if the clock does not advance. */
const MIN_REST_MS = 5;
/** Deliveries that become due so soon after a claim share the next one. Steady traffic would start a claim for each. */
const CLAIM_EVERY_MS = 20;
const FINISH_WITHIN_MS = 4000;

export type Dispatcher = ReturnType<typeof createDispatcher>;

export function createDispatcher(deps: DispatcherDeps) {
  const { db, clock, log, adapters, leaseMs = LEASE_MS } = deps;
  const pollMs = pollOfGroup(db, deps.pollMs ?? POLL_MS);
  const windows = createTargetWindows(adapters, { budget: deps.budget });
  const resultWriter = createResultWriter(deps, leaseMs);
  const cutOff = new AbortController();
  setMaxListeners(0, cutOff.signal);
  const underWay = new Set<Promise<void>>();
  /** Where the next claim continues an unfinished walk. Items before it wait for the next walk. */
  let after = FIRST_TARGET;
  let isDueAgain = false;
  let wasLimited = false;
  let claimedAtMs = -Infinity;

  const loop = createPollingLoop(
    async (sleep) => {
      const earlyMs = claimedAtMs + CLAIM_EVERY_MS - performance.now();
      // What the last claim left behind does not wait.
      // Timers count whole milliseconds, and may end up to one early.
      if (earlyMs > 0 && !wasLimited && after === FIRST_TARGET) await pause(Math.ceil(earlyMs) + 1);
      sleep.reset();
      claimedAtMs = performance.now();
      return claimOnce();
    },
    (error) => log.error({ err: error }, 'claiming deliveries failed'),
  );
  return {
    start: loop.start,
    wake,
    /** Sends in flight have four seconds to end; the rest is released to other processes. */
    async stop(): Promise<void> {
      await loop.stop();
      const deadline = setTimeout(() => {
        resultWriter.hurry();
        cutOff.abort();
      }, FINISH_WITHIN_MS);
      await Promise.all(underWay);
      clearTimeout(deadline);
      deps.budget?.leave();
    },
  };

  function wake(): void {
    if (after !== FIRST_TARGET) isDueAgain = true;
    loop.wake();
  }

  async function claimOnce(): Promise<number> {
    const capacity = windows.capacity();
    if (!capacity) return pollMs;
    const now = clock.now();
    const leaseEndsAt = new Date(now.getTime() + leaseMs);
    const claim = await claimDue(db, { capacity, after, claim: randomUUID(), now, leaseEndsAt });
    after = claim.next ?? FIRST_TARGET;
    wasLimited = claim.isLimited;
    const byTarget = groupBy(claim.items, ({ targetId }) => targetId);
    windows.noteClaim(capacity, byTarget); // before the first send can end
    await dispatch(claim.items);
    await removeItems(db, claim.orphans);
    if (claim.next !== null) return 0;
    if (isDueAgain) {
      isDueAgain = false;
      return 0;
    }
    const dueInMs = claim.nextDueAt ? claim.nextDueAt.getTime() - now.getTime() : pollMs;
    return Math.min(pollMs, Math.max(MIN_REST_MS, dueInMs));
  }

  async function dispatch(items: readonly ClaimedItem[]): Promise<void> {
    if (loop.stopping.aborted) return releaseItems(db, items, clock.now());
    for (const adapter of adapters) {
      const own = items.filter(({ kind }) => kind === adapter.kind);
      if (own.length === 0) continue;
      const byTarget = groupBy(own, ({ targetId }) => targetId);
      const targets = await loadTargets(adapter, [...byTarget.keys()]);
      const gone = own.filter(({ targetId }) => targets.get(targetId) === GONE);
      await removeItems(db, gone);
      for (const [targetId, all] of byTarget) {
        const target = targets.get(targetId);
        if (target === undefined || target === GONE) continue;
        for (let from = 0; from < all.length; from += adapter.itemsPerSend)
          launch(adapter, target, all.slice(from, from + adapter.itemsPerSend));
      }
    }
  }

  /** One that fails to load must not block others: its items stay claimed until the lease ends. */
  async function loadTargets(adapter: Adapter, ids: readonly string[]): Promise<Map<string, unknown>> {
    try {
      const loaded = await adapter.load(db, ids);
      return new Map(ids.map((id) => [id, loaded.get(id) ?? GONE]));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (ids.length === 1) {
        log.error({ err: error, kind: adapter.kind, target: ids[0] }, 'a target could not be loaded');
        return new Map();
      }
      const found = new Map<string, unknown>();
      for (const id of ids) for (const entry of await loadTargets(adapter, [id])) found.set(...entry);
      return found;
    }
  }

  /** @param items of one target. */
  function launch(adapter: Adapter, target: unknown, items: readonly ClaimedItem[]): void {
    const slot = windows.take(adapter, items[0]?.targetId ?? '');
    const done = send(adapter, target, items, slot).finally(() => {
      underWay.delete(done);
      slot.release();
      if (wasLimited) wake();
    });
    underWay.add(done);
  }

  async function send(adapter: Adapter, target: unknown, items: readonly ClaimedItem[], slot: Slot) {
    const at = clock.now();
    const startedMs = performance.now();
    const attributes = { 'delivery.kind': adapter.kind, 'delivery.items': items.length };
    const span = tracer.startSpan('deliver', { kind: SpanKind.CLIENT, attributes, root: true });
    try {
      const outcome = await adapter.send(target, items, cutOff.signal);
      const isSuccess = adapter.isSuccess(outcome);
      const result = isSuccess ? 'succeeded' : 'failed';
      span.setAttribute('delivery.result', result);
      if (isSuccess) span.end();
      else endFailed(span, 'failed');
      if (slot.ended(isSuccess)) wake();
      if (cutOff.signal.aborted && !isSuccess) return await releaseItems(db, items, clock.now());
      deps.onSent?.(adapter.kind, result, (performance.now() - startedMs) / 1000);
      wakeAt(await resultWriter.settle({ adapter, target, items, outcome, at }));
    } catch (error) {
      endFailed(span, error);
      // The items become due again when their lease ends.
      if (!isDatabaseUnavailable(error)) log.error({ err: error, kind: adapter.kind }, 'a delivery failed');
    }
  }

  function wakeAt(at: Date | null): void {
    const waitMs = at === null ? pollMs : at.getTime() - clock.now().getTime();
    if (waitMs < pollMs) setTimeout(wake, Math.max(0, waitMs)).unref();
  }
}

interface UnwrittenResult extends EndedSend<unknown, unknown> {
  readonly adapter: Adapter;
}

const MAX_AT_ONCE = 256;
/** The sends of an envelope to several targets end at different moments, and share a transaction. */
const COLLECT_MS = 25;
const RETRY_AFTER_MS = 250;
/** If an internal error prevents recording, wait this long instead of resending after each lease. */
const ERROR_WAIT_MS = 60 * 60 * 1000;

/** Sends that end together share one transaction. @param leaseMs later the items are due again. */
function createResultWriter({ db, clock, log }: DispatcherDeps, leaseMs: number) {
  let isHurried = false;
  const batcher = createBatcher<UnwrittenResult, Date | null>({
    run: settleTogether,
    maxWeight: MAX_AT_ONCE,
    collectMs: COLLECT_MS,
    concurrency: 1,
    maxWaiting: Number.POSITIVE_INFINITY, // unreachable: the number of sends in flight is bounded
    refuse: () => new Error('too many sends wait for their result to be recorded'),
  });
  return {
    /** When the first item is retried. Null: never, or when the lease ends. Never rejects. */
    settle: (send: UnwrittenResult) => batcher.submit(send).catch(() => null),
    hurry() {
      isHurried = true;
    },
  };

  async function settleTogether(sends: readonly UnwrittenResult[]): Promise<(Date | null)[]> {
    for (const startedMs = performance.now(); ; await pause(RETRY_AFTER_MS)) {
      try {
        return await db.transaction((tx) => record(tx, sends));
      } catch (error) {
        if (!isDatabaseUnavailable(error)) return settleApart(sends, error);
        if (isHurried || performance.now() - startedMs > leaseMs) throw error;
      }
    }
  }

  async function settleApart(sends: readonly UnwrittenResult[], error: unknown): Promise<(Date | null)[]> {
    const [only] = sends;
    if (only && sends.length === 1) return [await postpone(only, error)];
    const retries: (Date | null)[] = [];
    for (const send of sends) retries.push(...(await settleTogether([send])));
    return retries;
  }

  async function postpone({ adapter, items, outcome }: UnwrittenResult, error: unknown): Promise<null> {
    const { kind } = adapter;
    const envelopes = items.map((item) => item.envelopeId);
    log.error({ err: error, kind, envelopes }, 'the result of a delivery could not be recorded');
    const retryAt = new Date(clock.now().getTime() + ERROR_WAIT_MS);
    const postponed = items.map((item) => ({ ...item, retryAt }));
    if (adapter.isSuccess(outcome)) await removeItems(db, items);
    else await db.transaction((tx) => postponeItems(tx, postponed));
    return null;
  }
}

async function record(tx: Tx, sends: readonly UnwrittenResult[]): Promise<(Date | null)[]> {
  const retries = new Map<string, Date>();
  for (const [adapter, own] of groupBy(sends, (send) => send.adapter)) {
    for (const { targetId, envelopeId, retryAt } of await adapter.settle(tx, own)) {
      if (retryAt !== null) retries.set(keyOf({ targetId, envelopeId }), retryAt);
    }
  }
  const items = sends.flatMap((send) => send.items);
  const done = items.filter((item) => !retries.has(keyOf(item)));
  const postponed = items.flatMap((item) => {
    const retryAt = retries.get(keyOf(item));
    return retryAt ? [{ ...item, retryAt }] : [];
  });
  await endWith(tx, Promise.all([removeItems(tx, done), postponeItems(tx, postponed)]));
  return sends.map((send) => earliest(send.items.flatMap((item) => retries.get(keyOf(item)) ?? [])));
}

function keyOf({ targetId, envelopeId }: { targetId: string; envelopeId: string }): string {
  return `${targetId} ${envelopeId}`;
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));
}
