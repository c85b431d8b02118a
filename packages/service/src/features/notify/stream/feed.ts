import { envelopeFrame, type Frame, FrameBatch } from './frames.js';
import type { FeedOwner, FeedState, Position, PositionedEnvelope } from './store.js';
import type { Subscriber } from './subscriber.js';

/** Reads the envelopes of one platform and mode once for all its streams in this process. */
export class Feed {
  readonly subscribers = new Set<Subscriber>();
  readonly #opening: Promise<FeedState>;
  #state: FeedState | null = null;

  constructor(
    readonly owner: FeedOwner,
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
export function framesOf(rows: readonly PositionedEnvelope[]): Frame[] {
  return rows.flatMap(({ xid, id, type, body }) =>
    body === null ? [] : [{ xid, id, type, text: envelopeFrame(id, type, body) }],
  );
}
