import { envelopeFrame, type Frame, FrameBatch } from './frames.js';
import type { FeedOwner, PlacedEnvelope, Position, Present } from './store.js';
import type { Subscriber } from './subscriber.js';

/** The envelopes of one platform and mode as this process reads them, once for all streams that are open on them. */
export class Feed {
  readonly subscribers = new Set<Subscriber>();
  readonly #opening: Promise<Present>;
  #present: Present | null = null;

  constructor(
    readonly owner: FeedOwner,
    opening: Promise<Present>,
  ) {
    this.#opening = opening.then((present) => {
      this.#present = present;
      return present;
    });
  }

  /** null: not known yet. */
  get position(): Position | null {
    return this.#present?.position ?? null;
  }

  get newestId(): string | null {
    return this.#present?.newestId ?? null;
  }

  /** Where it stands. Whoever subscribed before asking is given all that comes behind that. */
  present(): Promise<Present> {
    return this.#present ? Promise.resolve(this.#present) : this.#opening;
  }

  /** Passes on what has been read behind its position. */
  advance(rows: readonly PlacedEnvelope[]): void {
    const last = rows.at(-1);
    if (!last) return;
    const frames = framesOf(rows);
    this.#present = { position: last, newestId: frames.at(-1)?.id ?? this.newestId };
    if (frames.length === 0) return;
    const batch = new FrameBatch(frames);
    for (const subscriber of this.subscribers) subscriber.take(batch);
  }
}

/** Rows as streams send them, without those that are not for streams. */
export function framesOf(rows: readonly PlacedEnvelope[]): Frame[] {
  return rows.flatMap(({ xid, id, type, body }) =>
    body === null ? [] : [{ xid, id, type, text: envelopeFrame(id, type, body) }],
  );
}
