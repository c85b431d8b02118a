import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createBatcher } from '../kit/batcher.js';
import type { Clock } from '../kit/clock.js';
import { type Database, isDatabaseUnavailable, type Tx } from '../kit/db/database.js';
import { groupBy } from '../kit/groupBy.js';
import type { ChannelAdapter, EndedSend } from './channelAdapter.js';
import { type HeldItem, putOffItems, removeItems } from './dispatcherStore.js';

/** A send that is over and has yet to be recorded. */
export interface UnwrittenResult extends EndedSend<unknown, unknown> {
  readonly adapter: ChannelAdapter<unknown, unknown>;
  readonly items: readonly HeldItem[];
}

/** Records what came of sends. Those that end together share one transaction. */
export interface ResultWriter {
  /**
   * Answers when the first of its items is tried again; null: none is, or nothing could be recorded, and then the items come
   * due again by themselves. Never rejects.
   */
  settle(send: UnwrittenResult): Promise<Date | null>;
  /** From now on an absent database is not waited for any more. */
  hurry(): void;
}

interface ResultWriterDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  /** Recording later than this would be for nothing: the items are due again. */
  leaseMs: number;
}

const MAX_AT_ONCE = 256;
const RETRY_AFTER_MS = 250;
/** An item whose send cannot be recorded, by a fault of ours, is not to be sent at every end of its lease. */
const FAULT_WAIT_MS = 60 * 60 * 1000;

export function createResultWriter({ db, clock, log, leaseMs }: ResultWriterDeps): ResultWriter {
  let isHurried = false;
  const batcher = createBatcher<UnwrittenResult, Date | null>({
    run: settleTogether,
    maxWeight: MAX_AT_ONCE,
    concurrency: 1,
    maxWaiting: Number.POSITIVE_INFINITY, // there are never more than sends may be under way
    refuse: () => new Error('too many sends wait to be settled'),
  });
  return {
    settle: (send) => batcher.submit(send).catch(() => null),
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

  /** One that cannot be recorded must not keep the others from it. */
  async function settleApart(sends: readonly UnwrittenResult[], error: unknown): Promise<(Date | null)[]> {
    const [only] = sends;
    if (only && sends.length === 1) return [await shelve(only, error)];
    const retries: (Date | null)[] = [];
    for (const send of sends) retries.push(...(await settleTogether([send])));
    return retries;
  }

  async function shelve({ adapter, items, outcome }: UnwrittenResult, fault: unknown): Promise<null> {
    const { kind } = adapter;
    const envelopes = items.map((item) => item.envelopeId);
    log.error({ err: fault, kind, envelopes }, 'what came of a delivery could not be recorded');
    if (adapter.isSuccess(outcome)) await removeItems(db, items);
    else {
      const retryAt = new Date(clock.now().getTime() + FAULT_WAIT_MS);
      await db.transaction((tx) =>
        putOffItems(
          tx,
          items.map((item) => ({ ...item, retryAt })),
        ),
      );
    }
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
  await Promise.all([
    removeItems(
      tx,
      items.filter((item) => !retries.has(keyOf(item))),
    ),
    putOffItems(
      tx,
      items.flatMap((item) => {
        const retryAt = retries.get(keyOf(item));
        return retryAt ? [{ ...item, retryAt }] : [];
      }),
    ),
  ]);
  return sends.map((send) => earliest(send.items.flatMap((item) => retries.get(keyOf(item)) ?? [])));
}

function keyOf({ targetId, envelopeId }: { targetId: string; envelopeId: string }): string {
  return `${targetId} ${envelopeId}`;
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));
}
