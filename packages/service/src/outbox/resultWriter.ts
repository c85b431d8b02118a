import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createBatcher } from '../kit/batcher.js';
import type { Clock } from '../kit/clock.js';
import { type Database, endWith, isDatabaseUnavailable, type Tx } from '../kit/db/database.js';
import { groupBy } from '../kit/groupBy.js';
import type { ChannelAdapter, EndedSend } from './channelAdapter.js';
import { postponeItems, removeItems } from './dispatcherStore.js';

export interface UnwrittenResult extends EndedSend<unknown, unknown> {
  readonly adapter: ChannelAdapter<unknown, unknown>;
}

interface ResultWriterDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  /** After the lease a result can no longer be recorded: the items are due again. */
  leaseMs: number;
}

const MAX_AT_ONCE = 256;
/** The sends of an envelope to several targets end at different moments, and share a transaction. */
const COLLECT_MS = 25;
const RETRY_AFTER_MS = 250;
/**
 * If an internal error prevents recording, wait this long instead of resending after each lease.
 */
const ERROR_WAIT_MS = 60 * 60 * 1000;

/** Records the results of sends. Sends that end together share one transaction. */
export function createResultWriter({ db, clock, log, leaseMs }: ResultWriterDeps) {
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
    /**
     * Returns when the first of the items is retried. Null: no retry, or the result could not be
     * recorded and the items become due when their lease ends. Never rejects.
     */
    settle: (send: UnwrittenResult) => batcher.submit(send).catch(() => null),
    /** Stops waiting for an unavailable database. */
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

  /** Records each send alone, so that one failure does not block the others. */
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
    if (adapter.isSuccess(outcome)) await removeItems(db, items);
    else {
      const retryAt = new Date(clock.now().getTime() + ERROR_WAIT_MS);
      await db.transaction((tx) =>
        postponeItems(
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
  const writes = Promise.all([
    removeItems(
      tx,
      items.filter((item) => !retries.has(keyOf(item))),
    ),
    postponeItems(
      tx,
      items.flatMap((item) => {
        const retryAt = retries.get(keyOf(item));
        return retryAt ? [{ ...item, retryAt }] : [];
      }),
    ),
  ]);
  await endWith(tx, writes);
  return sends.map((send) => earliest(send.items.flatMap((item) => retries.get(keyOf(item)) ?? [])));
}

function keyOf({ targetId, envelopeId }: { targetId: string; envelopeId: string }): string {
  return `${targetId} ${envelopeId}`;
}

function earliest(dates: readonly Date[]): Date | null {
  return dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));
}
