import type { EnvelopeType } from '#domain/envelopes/catalogue.js';
import type { Position } from './store.js';

/**
 * An event of the stream (Server-Sent Events, WHATWG HTML 9.2). Neither a UUID nor JSON contains a
 * line break.
 */
export function envelopeFrame(id: string, type: EnvelopeType, body: string): string {
  return `event: ${type}\nid: ${id}\ndata: ${body}\n\n`;
}

/** How long a reader waits before it connects again. */
const RETRY_MS = 2000;

/**
 * The first block of a stream. Without data it is not an event, but readers store its id. So a
 * stream that breaks before its first event can be resumed.
 * @param lastId the last envelope before the stream; null: there is none.
 */
export function openingFrame(lastId: string | null): Buffer {
  return Buffer.from(`: open\nretry: ${RETRY_MS}\n${idLine(lastId)}\n`);
}

export type ResetReason = 'not_an_id' | 'unknown_id' | 'too_old';

/** Tells a reader that resuming is impossible, so envelopes may be missing before the next one. */
export function resetFrame(reason: ResetReason, newestId: string | null): Buffer {
  return Buffer.from(`event: reset\n${idLine(newestId)}data: ${JSON.stringify({ reason })}\n\n`);
}

export const HEARTBEAT = Buffer.from(':\n\n');

/**
 * A heartbeat with the current position, for a reader that filtered out the last envelopes. It
 * resumes from there.
 */
export function heartbeatAt(id: string): Buffer {
  return Buffer.from(`:\nid: ${id}\n\n`);
}

function idLine(id: string | null): string {
  return id === null ? '' : `id: ${id}\n`;
}

export interface Frame extends Position {
  readonly type: EnvelopeType;
  readonly text: string;
}

/** The types of a stream. */
export interface TypeFilter {
  /** Equal for equal types. */
  readonly key: string;
  includes(type: EnvelopeType): boolean;
}

/** @param types undefined: every type. */
export function filterFor(types: readonly EnvelopeType[] | undefined): TypeFilter {
  if (types === undefined) return { key: '', includes: () => true };
  const wanted = new Set(types);
  return { key: [...wanted].sort().join(), includes: (type) => wanted.has(type) };
}

/** Frames that were read together. Streams with the same filter share the bytes. */
export class FrameBatch {
  readonly #chunks = new Map<string, Buffer | null>();
  /** In characters. */
  readonly size: number;

  constructor(readonly frames: readonly Frame[]) {
    this.size = frames.reduce((size, { text }) => size + text.length, 0);
  }

  /** The frames that the filter includes, as one chunk; null: there are none. */
  chunkFor(filter: TypeFilter): Buffer | null {
    let chunk = this.#chunks.get(filter.key);
    if (chunk === undefined) {
      const texts = this.frames.filter(({ type }) => filter.includes(type)).map(({ text }) => text);
      chunk = texts.length === 0 ? null : Buffer.from(texts.join(''));
      this.#chunks.set(filter.key, chunk);
    }
    return chunk;
  }
}
