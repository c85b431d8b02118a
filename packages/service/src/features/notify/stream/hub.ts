import type { FastifyBaseLogger } from 'fastify';
import { type Database, isDatabaseUnavailable } from '../../../kit/db/database.js';
import { groupBy } from '../../../kit/groupBy.js';
import { Feed } from './feed.js';
import { openingFrame, resetFrame } from './frames.js';
import { createResumer } from './resume.js';
import { type FeedOwner, findPresent, readBehind } from './store.js';
import type { Subscriber } from './subscriber.js';

/** Reads envelopes for all streams of this process: whatever their number, one query at a time. */
export interface Hub {
  /** Resolves when the stream has its beginning; it gets all that is committed from now on. @param lastEventId undefined: from now. */
  join(owner: FeedOwner, subscriber: Subscriber, lastEventId: string | undefined): Promise<void>;
  leave(owner: FeedOwner, subscriber: Subscriber): void;
  /** Something has been written: looks soon. */
  wake(): void;
  /** Gives every stream a sign of life. */
  beat(): void;
}

/** Should a notification get lost, this is how long it matters. */
const POLL_MS = 1000;
/** Between two looks: what is written meanwhile is read together. */
const REST_MS = 10;
/** Waiting for a transaction that still holds others back; doubles up to the longest. */
const UNSETTLED_MS = 20;
const MAX_UNSETTLED_MS = 160;
/** Rows of a look, shared by the feeds. */
const LOOK_ROWS = 1000;
const [MIN_FEED_ROWS, MAX_FEED_ROWS] = [10, 100];

export function createHub({ db, log }: { db: Database; log: FastifyBaseLogger }): Hub {
  const resumer = createResumer(db);
  const feeds = new Map<string, Feed>();
  let timer: NodeJS.Timeout | undefined;
  /** It looks, or soon will. */
  let isBusy = false;
  let isWoken = false;
  let unsettledMs = UNSETTLED_MS;
  return { join, leave, wake, beat };

  async function join(
    owner: FeedOwner,
    subscriber: Subscriber,
    lastEventId: string | undefined,
  ): Promise<void> {
    const feed = enter(owner);
    feed.subscribers.add(subscriber);
    const { stream } = subscriber;
    const { position: until, newestId } = await feed.present();
    const point = lastEventId === undefined ? null : await resumer.find(owner, lastEventId);
    if (point !== null && 'position' in point) {
      stream.offer(openingFrame(point.position.id));
      resumer.bringUp(owner, subscriber, { from: point.position, until }).catch((error: unknown) => {
        note(error);
        stream.destroy();
      });
      return;
    }
    stream.offer(openingFrame(newestId));
    if (point !== null) stream.offer(resetFrame(point.reason, newestId));
    subscriber.catchUp(null);
  }

  function leave(owner: FeedOwner, subscriber: Subscriber): void {
    const feed = feeds.get(keyOf(owner));
    if (!feed?.subscribers.delete(subscriber) || feed.subscribers.size > 0) return;
    feeds.delete(keyOf(owner));
    if (feeds.size === 0 && !isBusy) clearTimeout(timer);
  }

  function enter(owner: FeedOwner): Feed {
    const key = keyOf(owner);
    const known = feeds.get(key);
    if (known) return known;
    const feed = new Feed(owner, findPresent(db, owner));
    feeds.set(key, feed);
    // What was written while its position was sought has woken nobody for it.
    feed.present().then(wake, () => {
      if (feeds.get(key) === feed) feeds.delete(key);
    });
    return feed;
  }

  function wake(): void {
    isWoken = true;
    if (!isBusy && feeds.size > 0) lookIn(0);
  }

  function beat(): void {
    for (const { subscribers, newestId } of feeds.values()) {
      for (const subscriber of subscribers) subscriber.beat(newestId);
    }
  }

  function lookIn(delayMs: number): void {
    clearTimeout(timer);
    isBusy = delayMs < POLL_MS;
    timer = setTimeout(() => void look(), delayMs);
    timer.unref();
  }

  async function look(): Promise<void> {
    isBusy = true;
    isWoken = false;
    let waitMs = POLL_MS;
    try {
      waitMs = await readOn();
    } catch (error) {
      note(error);
    }
    isBusy = false;
    if (feeds.size > 0) lookIn(isWoken && waitMs === POLL_MS ? REST_MS : waitMs);
  }

  /** Passes on what has come since; answers how long to wait before the next look. */
  async function readOn(): Promise<number> {
    const places = [...feeds.values()].flatMap((feed) =>
      feed.position === null ? [] : [{ ...feed.owner, position: feed.position, feed }],
    );
    if (places.length === 0) return POLL_MS;
    const fairShare = Math.floor(LOOK_ROWS / places.length);
    const limit = Math.min(MAX_FEED_ROWS, Math.max(MIN_FEED_ROWS, fairShare));
    const byOwner = groupBy(await readBehind(db, places, limit), (row) => row.owner);
    let isUnsettled = false;
    let hasMore = false;
    for (const [index, rows] of byOwner) {
      const settled = rows.filter(({ isSettled }) => isSettled);
      places[index]?.feed.advance(settled);
      if (settled.length < rows.length) isUnsettled = true;
      if (settled.length > 0) unsettledMs = UNSETTLED_MS;
      if (settled.length === limit) hasMore = true;
    }
    if (hasMore) return 0;
    if (!isUnsettled) return POLL_MS;
    const waitMs = unsettledMs;
    unsettledMs = Math.min(2 * unsettledMs, MAX_UNSETTLED_MS);
    return waitMs;
  }

  function note(error: unknown): void {
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'reading envelopes for the streams failed');
  }
}

function keyOf({ platformId, livemode }: FeedOwner): string {
  return `${platformId} ${livemode}`;
}
