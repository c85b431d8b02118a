import { serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import type { Queryable } from '../../../kit/db/database.js';
import { isUuid } from '../../../kit/ids.js';
import { framesOf } from './feed.js';
import { FrameBatch, type ResetReason } from './frames.js';
import {
  type FeedOwner,
  findPosition,
  isAfter,
  type Position,
  type PositionedEnvelope,
  readAfter,
} from './store.js';
import type { Subscriber } from './subscriber.js';

export type ResumePoint = { readonly position: Position } | { readonly reason: ResetReason };

/** Sends readers that reconnect what they missed. */
export interface Resumer {
  /** The position of a Last-Event-ID, or the reason why a stream cannot resume from it. */
  find(owner: FeedOwner, lastEventId: string): Promise<ResumePoint>;
  /**
   * Sends what follows `from` up to `until`, at the pace of the reader, and then what arrived
   * meanwhile.
   */
  sendMissed(
    owner: FeedOwner,
    subscriber: Subscriber,
    span: { from: Position; until: Position },
  ): Promise<void>;
}

/** Envelopes of a platform and mode that can be resumed (RULES N6). */
const MAX_RESUMED = 1000;
const PAGE_ROWS = 100;
/** After a restart all readers reconnect at once. They must not use all database connections. */
const MAX_READS = 2;
const MAX_WAITING = 2000;

export function createResumer(db: Queryable): Resumer {
  const reads = createBatcher<() => Promise<void>, true>({
    run: async ([read]) => {
      await read?.();
      return [true];
    },
    maxWeight: 1,
    concurrency: MAX_READS,
    maxWaiting: MAX_WAITING,
    refuse: () => serviceError('OVERLOADED'),
  });
  return { find, sendMissed };

  async function find(owner: FeedOwner, lastEventId: string): Promise<ResumePoint> {
    if (!isUuid(lastEventId)) return { reason: 'not_an_id' };
    const found = await whenFree(() => findPosition(db, owner, lastEventId, MAX_RESUMED));
    if (!found) return { reason: 'unknown_id' };
    return found.later < MAX_RESUMED ? { position: found.position } : { reason: 'too_old' };
  }

  async function sendMissed(
    owner: FeedOwner,
    subscriber: Subscriber,
    { from, until }: { from: Position; until: Position },
  ): Promise<void> {
    const { stream } = subscriber;
    for (let position: Position | undefined = from; position; ) {
      await stream.drained();
      if (!stream.isOpen) return;
      const cursor = { ...owner, position };
      const rows: PositionedEnvelope[] = await whenFree(() => readAfter(db, [cursor], PAGE_ROWS));
      const missed = rows.filter((row) => row.isSettled && !isAfter(row, until));
      subscriber.send(new FrameBatch(framesOf(missed)));
      position = missed.length === PAGE_ROWS ? missed.at(-1) : undefined;
    }
    subscriber.catchUp(isAfter(from, until) ? from : null);
  }

  async function whenFree<T>(read: () => Promise<T>): Promise<T> {
    let answer: { value: T } | undefined;
    await reads.submit(async () => {
      answer = { value: await read() };
    });
    if (!answer) throw new Error('a batched read did not run');
    return answer.value;
  }
}
