import { serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import type { Queryable } from '../../../kit/db/database.js';
import { isUuid } from '../../../kit/ids.js';
import { framesOf } from './feed.js';
import { FrameBatch, type ResetReason } from './frames.js';
import {
  type FeedOwner,
  findPlace,
  isBehind,
  type PlacedEnvelope,
  type Position,
  readBehind,
} from './store.js';
import type { Subscriber } from './subscriber.js';

export type ResumePoint = { readonly position: Position } | { readonly reason: ResetReason };

/** Gives readers who come back what they missed. */
export interface Resumer {
  /** The place that a Last-Event-ID names, or why there is no resuming from it. */
  find(owner: FeedOwner, lastEventId: string): Promise<ResumePoint>;
  /** Gives what stands behind `from`, up to `until`, at the reader's pace; then it goes on with what came in meanwhile. */
  bringUp(owner: FeedOwner, subscriber: Subscriber, span: { from: Position; until: Position }): Promise<void>;
}

/** So many envelopes of a platform and mode can be had again (RULES N6). */
const HELD_ENVELOPES = 1000;
const PAGE_ROWS = 100;
/** All readers come back at once when a process has stopped; they must not take all connections to the database. */
const READS_AT_ONCE = 2;
const MAX_WAITING = 2000;

export function createResumer(db: Queryable): Resumer {
  const turns = createBatcher<() => Promise<void>, true>({
    run: async ([read]) => {
      await read?.();
      return [true];
    },
    maxWeight: 1,
    concurrency: READS_AT_ONCE,
    maxWaiting: MAX_WAITING,
    refuse: () => serviceError('OVERLOADED'),
  });
  return { find, bringUp };

  async function find(owner: FeedOwner, lastEventId: string): Promise<ResumePoint> {
    if (!isUuid(lastEventId)) return { reason: 'not_an_id' };
    const place = await inTurn(() => findPlace(db, owner, lastEventId, HELD_ENVELOPES));
    if (!place) return { reason: 'unknown_id' };
    return place.later < HELD_ENVELOPES ? { position: place.position } : { reason: 'too_old' };
  }

  async function bringUp(
    owner: FeedOwner,
    subscriber: Subscriber,
    { from, until }: { from: Position; until: Position },
  ): Promise<void> {
    const { stream } = subscriber;
    for (let position: Position | undefined = from; position; ) {
      await stream.drained();
      if (!stream.isOpen) return;
      const place = { ...owner, position };
      const rows: PlacedEnvelope[] = await inTurn(() => readBehind(db, [place], PAGE_ROWS));
      const missed = rows.filter((row) => row.isSettled && !isBehind(until, row));
      subscriber.give(new FrameBatch(framesOf(missed)));
      position = missed.length === PAGE_ROWS ? missed.at(-1) : undefined;
    }
    subscriber.catchUp(isBehind(until, from) ? from : null);
  }

  async function inTurn<T>(read: () => Promise<T>): Promise<T> {
    let answer: { value: T } | undefined;
    await turns.submit(async () => {
      answer = { value: await read() };
    });
    if (!answer) throw new Error('a read was passed over');
    return answer.value;
  }
}
