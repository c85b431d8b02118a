import type { FastifyBaseLogger } from 'fastify';
import { type Database, isDatabaseUnavailable } from '../../../kit/db/database.js';
import { groupBy } from '../../../kit/lists.js';
import { Feed } from './feed.js';
import { openingFrame, resetFrame } from './frames.js';
import { createResumer } from './resume.js';
import { type FeedOwner, findFeedState, readAfter } from './store.js';
import type { Subscriber } from './subscriber.js';

/** Reads envelopes for all streams of this process, one query at a time whatever their number. */
export interface Hub {
  /**
   * Resolves after the first frame. The stream gets all that commits from now on.
   * @param lastEventId undefined: from now on.
   */
  join(owner: FeedOwner, subscriber: Subscriber, lastEventId: string | undefined): Promise<void>;
  leave(owner: FeedOwner, subscriber: Subscriber): void;
  /** Call after a write of envelopes. */
  wake(): void;
  /** Sends a heartbeat to every stream. */
  beat(): void;
}

/** The delay if a notification is lost. */
const POLL_MS = 1000;
/** Between two reads, so that the writes of this time are read together. */
const REST_MS = 10;
/** Wait for an open transaction that holds others back; doubles up to the maximum. */
const UNSETTLED_MS = 20;
const MAX_UNSETTLED_MS = 160;
/** Rows of a read, shared by the feeds. */
const READ_ROWS = 1000;
const [MIN_FEED_ROWS, MAX_FEED_ROWS] = [10, 100];

export function createHub({ db, log }: { db: Database; log: FastifyBaseLogger }): Hub {
  const resumer = createResumer(db);
  const feeds = new Map<string, Feed>();
  let timer: NodeJS.Timeout | undefined;
  /** A read is running or due within less than a poll. */
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
    const { position: until, newestId } = await feed.state();
    const point = lastEventId === undefined ? null : await resumer.find(owner, lastEventId);
    if (point !== null && 'position' in point) {
      stream.offer(openingFrame(point.position.id));
      resumer.sendMissed(owner, subscriber, { from: point.position, until }).catch((error: unknown) => {
        logError(error);
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
    const feed = new Feed(owner, findFeedState(db, owner));
    feeds.set(key, feed);
    // Writes since its position was read have not woken this feed.
    feed.state().then(wake, () => {
      if (feeds.get(key) === feed) feeds.delete(key);
    });
    return feed;
  }

  function wake(): void {
    isWoken = true;
    if (!isBusy && feeds.size > 0) readIn(0);
  }

  function beat(): void {
    for (const { subscribers, newestId } of feeds.values()) {
      for (const subscriber of subscribers) subscriber.beat(newestId);
    }
  }

  function readIn(delayMs: number): void {
    clearTimeout(timer);
    isBusy = delayMs < POLL_MS;
    timer = setTimeout(() => void readAndRepeat(), delayMs);
    timer.unref();
  }

  async function readAndRepeat(): Promise<void> {
    isBusy = true;
    isWoken = false;
    let waitMs = POLL_MS;
    try {
      waitMs = await readOnce();
    } catch (error) {
      logError(error);
    }
    isBusy = false;
    if (feeds.size > 0) readIn(isWoken && waitMs === POLL_MS ? REST_MS : waitMs);
  }

  /** Passes on new envelopes. @returns the wait before the next read. */
  async function readOnce(): Promise<number> {
    const cursors = [...feeds.values()].flatMap((feed) =>
      feed.position === null ? [] : [{ ...feed.owner, position: feed.position, feed }],
    );
    if (cursors.length === 0) return POLL_MS;
    const fairShare = Math.floor(READ_ROWS / cursors.length);
    const limit = Math.min(MAX_FEED_ROWS, Math.max(MIN_FEED_ROWS, fairShare));
    const byOwner = groupBy(await readAfter(db, cursors, limit), (row) => row.owner);
    let isUnsettled = false;
    let hasMore = false;
    for (const [index, rows] of byOwner) {
      const settled = rows.filter(({ isSettled }) => isSettled);
      cursors[index]?.feed.advance(settled);
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

  function logError(error: unknown): void {
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'reading envelopes for the streams failed');
  }
}

function keyOf({ platformId, livemode }: FeedOwner): string {
  return `${platformId} ${livemode}`;
}
