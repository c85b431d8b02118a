import { Readable } from 'node:stream';

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
