import { Readable } from 'node:stream';
import { FrameBatch, HEARTBEAT, heartbeatAt, type TypeFilter } from './frames.js';
import { isAfter, type Position } from './store.js';

/** A reader with a larger backlog is dropped. It resumes with its Last-Event-ID. */
const MAX_BACKLOG_BYTES = 256 * 1024;
/** Time for a reader to read an ended stream to its end. */
const END_GRACE_MS = 1000;

/** The body of a stream's answer. It lasts until the reader leaves or the service ends it. */
export class LiveStream extends Readable {
  #isEnding = false;
  #wasDropped = false;
  /** Resolves `drained`: the reader reads, or the stream has ended. */
  #onRead: (() => void) | undefined;

  override _read(): void {
    this.#onRead?.();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#onRead?.();
    done(error);
  }

  /** False once the stream has ended or is ending; then nothing more is sent. */
  get isOpen(): boolean {
    return !this.destroyed && !this.readableEnded && !this.#isEnding;
  }

  /** The backlog of the reader was too large. */
  get wasDropped(): boolean {
    return this.#wasDropped;
  }

  /** Sends a chunk, or drops a reader whose backlog is too large. @returns whether it was sent. */
  offer(chunk: Buffer): boolean {
    if (!this.isOpen) return false;
    if (this.readableLength > MAX_BACKLOG_BYTES) {
      this.#wasDropped = true;
      this.destroy();
      return false;
    }
    this.push(chunk);
    return true;
  }

  /** Resolves when the backlog is small or the reader is gone. */
  async drained(): Promise<void> {
    while (this.isOpen && this.readableLength >= this.readableHighWaterMark) {
      await new Promise<void>((resolve) => {
        this.#onRead = resolve;
      });
      this.#onRead = undefined;
    }
  }

  /** Ends the answer cleanly, or by force if the reader does not read the rest. */
  end(): void {
    if (!this.isOpen) return;
    this.#isEnding = true;
    this.push(null);
    const cut = setTimeout(() => this.destroy(), END_GRACE_MS);
    this.once('close', () => clearTimeout(cut));
  }
}

/** Limit of new frames for a stream that still receives missed ones. In characters. */
const MAX_PENDING = 256 * 1024;

/** One open stream, as its feed sees it. */
export class Subscriber {
  /** New frames while the stream receives missed ones; null: it is up to date. */
  #pending: FrameBatch[] | null = [];
  #pendingSize = 0;
  /**
   * The reader has everything up to here, which is later than this process had read; null: it is
   * not.
   */
  #hasUntil: Position | null = null;
  /** The filter excluded the last envelopes, so the last sent id is not the current position. */
  #lastWasFiltered = false;

  constructor(
    readonly stream: LiveStream,
    readonly filter: TypeFilter,
  ) {}

  /** Sends frames that were just read, or queues them behind missed ones. */
  take(batch: FrameBatch): void {
    if (this.#pending === null) {
      this.send(batch);
      return;
    }
    this.#pending.push(batch);
    this.#pendingSize += batch.size;
    if (this.#pendingSize > MAX_PENDING) this.stream.destroy();
  }

  send(batch: FrameBatch): void {
    const fresh = this.#withoutKnown(batch);
    const chunk = fresh.chunkFor(this.filter);
    if (chunk) this.stream.offer(chunk);
    const last = fresh.frames.at(-1);
    if (last) this.#lastWasFiltered = !this.filter.includes(last.type);
  }

  /**
   * Call after the missed frames were sent.
   * @param hasUntil the position that the stream resumed from, if it is later than the feed.
   */
  catchUp(hasUntil: Position | null): void {
    this.#hasUntil = hasUntil;
    const pending = this.#pending ?? [];
    this.#pending = null;
    for (const batch of pending) this.send(batch);
  }

  beat(newestId: string | null): void {
    if (this.#pending !== null) return;
    this.stream.offer(this.#lastWasFiltered && newestId !== null ? heartbeatAt(newestId) : HEARTBEAT);
    this.#lastWasFiltered = false;
  }

  /**
   * Removes frames that the reader has from another process, which had read further than this one.
   */
  #withoutKnown(batch: FrameBatch): FrameBatch {
    const hasUntil = this.#hasUntil;
    const [first] = batch.frames;
    if (hasUntil === null || first === undefined) return batch;
    if (!isAfter(first, hasUntil)) {
      return new FrameBatch(batch.frames.filter((frame) => isAfter(frame, hasUntil)));
    }
    this.#hasUntil = null;
    return batch;
  }
}
