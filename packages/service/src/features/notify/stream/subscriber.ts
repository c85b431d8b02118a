import { FrameBatch, HEARTBEAT, heartbeatAt, type TypeFilter } from './frames.js';
import type { LiveStream } from './liveStream.js';
import { isBehind, type Position } from './store.js';

/** How much may come in for a stream that is still being given what it missed. */
const MAX_HELD = 256 * 1024;

/** One open stream, as its feed sees it. */
export class Subscriber {
  /** What came in while the stream is given what it missed before; null: it is up to date. */
  #held: FrameBatch[] | null = [];
  #heldSize = 0;
  /** It knows everything up to here, further than this process had read; null: no further. */
  #knows: Position | null = null;
  /** The last envelopes were not for it, so the last id it was told is not where it stands. */
  #wasPassedOver = false;

  constructor(
    readonly stream: LiveStream,
    readonly filter: TypeFilter,
  ) {}

  /** What has just been read. */
  take(batch: FrameBatch): void {
    if (this.#held === null) {
      this.give(batch);
      return;
    }
    this.#held.push(batch);
    this.#heldSize += batch.size;
    if (this.#heldSize > MAX_HELD) this.stream.destroy();
  }

  give(batch: FrameBatch): void {
    const news = this.#news(batch);
    const chunk = news.chunkFor(this.filter);
    if (chunk) this.stream.offer(chunk);
    const last = news.frames.at(-1);
    if (last) this.#wasPassedOver = !this.filter.lets(last.type);
  }

  /** It has been given what it missed; from here on it gets what comes in. @param knows the place it resumed from. */
  catchUp(knows: Position | null): void {
    this.#knows = knows;
    const held = this.#held ?? [];
    this.#held = null;
    for (const batch of held) this.give(batch);
  }

  beat(newestId: string | null): void {
    if (this.#held !== null) return;
    this.stream.offer(this.#wasPassedOver && newestId !== null ? heartbeatAt(newestId) : HEARTBEAT);
    this.#wasPassedOver = false;
  }

  /** The batch without what the reader has had from another process, which was further on than this one. */
  #news(batch: FrameBatch): FrameBatch {
    const knows = this.#knows;
    const [first] = batch.frames;
    if (knows === null || first === undefined) return batch;
    if (!isBehind(knows, first)) {
      const news = batch.frames.filter((frame) => isBehind(knows, frame));
      return new FrameBatch(news);
    }
    this.#knows = null;
    return batch;
  }
}
