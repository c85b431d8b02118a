import { Readable } from 'node:stream';

/** A reader that lets more than this wait is dropped: it comes back with its Last-Event-ID. */
const MAX_WAITING_BYTES = 256 * 1024;
/** How long an ended stream may take to be read to its end. */
const END_GRACE_MS = 1000;

/** The body of a stream's answer: lasts until its reader leaves or it is ended. */
export class LiveStream extends Readable {
  #isEnding = false;
  #wasDropped = false;
  /** Waits for the reader, or for its end. */
  #onRead: (() => void) | undefined;

  override _read(): void {
    this.#onRead?.();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#onRead?.();
    done(error);
  }

  /** False once it is over or being ended: nothing more goes out. */
  get isOpen(): boolean {
    return !this.destroyed && !this.readableEnded && !this.#isEnding;
  }

  /** It was cut off because too much waited for its reader. */
  get wasDropped(): boolean {
    return this.#wasDropped;
  }

  /** Hands the reader more, unless too much waits for it already: then it is dropped. Answers whether it took it. */
  offer(chunk: Buffer): boolean {
    if (!this.isOpen) return false;
    if (this.readableLength > MAX_WAITING_BYTES) {
      this.#wasDropped = true;
      this.destroy();
      return false;
    }
    this.push(chunk);
    return true;
  }

  /** Resolves when the reader has taken most of what waited, or is gone. */
  async drained(): Promise<void> {
    while (this.isOpen && this.readableLength >= this.readableHighWaterMark) {
      await new Promise<void>((resolve) => {
        this.#onRead = resolve;
      });
      this.#onRead = undefined;
    }
  }

  /** Ends the answer in good order; a reader that does not take the rest is cut off. */
  end(): void {
    if (!this.isOpen) return;
    this.#isEnding = true;
    this.push(null);
    const cut = setTimeout(() => this.destroy(), END_GRACE_MS);
    this.once('close', () => clearTimeout(cut));
  }
}
