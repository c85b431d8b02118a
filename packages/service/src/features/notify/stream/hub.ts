import type { FastifyBaseLogger } from 'fastify';
import { serviceError } from '#domain/errors.js';
import { createBatcher } from '#kit/batcher.js';
import { type Database, isDatabaseUnavailable, type Queryable } from '#kit/db/database.js';
import { isUuid } from '#kit/ids.js';
import { groupBy } from '#kit/lists.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import {
  envelopeFrame,
  type Frame,
  FrameBatch,
  openingFrame,
  type ResetReason,
  resetFrame,
} from './frames.js';
import type { Subscriber } from './liveStream.js';
import {
  type FeedState,
  findFeedState,
  findPosition,
  isAfter,
  type Position,
  type PositionedEnvelope,
  readAfter,
} from './store.js';

/** Reads the envelopes of one platform and mode once for all its streams in this process. */
class Feed {
  readonly subscribers = new Set<Subscriber>();
  readonly #opening: Promise<FeedState>;
  #state: FeedState | null = null;

  constructor(
    readonly owner: ModeOwner,
    opening: Promise<FeedState>,
  ) {
    this.#opening = opening.then((state) => {
      this.#state = state;
      return state;
    });
  }

  /** null until the first read has ended. */
  get position(): Position | null {
    return this.#state?.position ?? null;
  }

  get newestId(): string | null {
    return this.#state?.newestId ?? null;
  }

  /**
   * The state that a new subscriber starts from. Subscribe first: then no later envelope is missed.
   */
  state(): Promise<FeedState> {
    return this.#state ? Promise.resolve(this.#state) : this.#opening;
  }

  /** Passes on rows that follow its position. */
  advance(rows: readonly PositionedEnvelope[]): void {
    const last = rows.at(-1);
    if (!last) return;
    const frames = framesOf(rows);
    this.#state = { position: last, newestId: frames.at(-1)?.id ?? this.newestId };
    if (frames.length === 0) return;
    const batch = new FrameBatch(frames);
    for (const subscriber of this.subscribers) subscriber.take(batch);
  }
}

/** Rows as SSE frames, without those that are not streamed. */
function framesOf(rows: readonly PositionedEnvelope[]): Frame[] {
  return rows.flatMap(({ xid, id, type, body }) =>
    body === null ? [] : [{ xid, id, type, text: envelopeFrame(id, type, body) }],
  );
}

type ResumePoint = { readonly position: Position } | { readonly reason: ResetReason };

/** Where a reader wants to go on. */
export interface ResumeFrom {
  readonly lastEventId: string;
  /** Over all that are kept. A reader that shows the current state reads that instead. */
  readonly isBackfill: boolean;
}

/** Sends readers that reconnect what they missed. */
interface Resumer {
  /** The position of a Last-Event-ID, or the reason why a stream cannot resume from it. */
  find(owner: ModeOwner, from: ResumeFrom): Promise<ResumePoint>;
  /**
   * Sends what follows `from` up to `until`, at the pace of the reader, and then what arrived
   * meanwhile.
   */
  sendMissed(
    owner: ModeOwner,
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

function createResumer(db: Queryable): Resumer {
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

  async function find(owner: ModeOwner, { lastEventId, isBackfill }: ResumeFrom): Promise<ResumePoint> {
    if (!isUuid(lastEventId)) return { reason: 'not_an_id' };
    const counted = isBackfill ? 0 : MAX_RESUMED;
    const found = await whenFree(() => findPosition(db, owner, lastEventId, counted));
    if (!found) return { reason: 'unknown_id' };
    return found.later < MAX_RESUMED ? { position: found.position } : { reason: 'too_old' };
  }

  async function sendMissed(
    owner: ModeOwner,
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

/** Reads envelopes for all streams of this process, one query at a time whatever their number. */
interface Hub {
  /**
   * Resolves after the first frame. The stream gets all that commits from now on.
   * @param from undefined: from now on.
   */
  join(owner: ModeOwner, subscriber: Subscriber, from: ResumeFrom | undefined): Promise<void>;
  leave(owner: ModeOwner, subscriber: Subscriber): void;
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

  async function join(owner: ModeOwner, subscriber: Subscriber, from: ResumeFrom | undefined): Promise<void> {
    const feed = enter(owner);
    feed.subscribers.add(subscriber);
    const { stream } = subscriber;
    const { position: until, newestId } = await feed.state();
    const point = from === undefined ? null : await resumer.find(owner, from);
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

  function leave(owner: ModeOwner, subscriber: Subscriber): void {
    const feed = feeds.get(keyOf(owner));
    if (!feed?.subscribers.delete(subscriber) || feed.subscribers.size > 0) return;
    feeds.delete(keyOf(owner));
    if (feeds.size === 0 && !isBusy) clearTimeout(timer);
  }

  function enter(owner: ModeOwner): Feed {
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

function keyOf({ platformId, livemode }: ModeOwner): string {
  return `${platformId} ${livemode}`;
}
