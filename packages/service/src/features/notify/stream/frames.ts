import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import type { Position } from './store.js';

/** The texts of a stream (Server-Sent Events, WHATWG HTML 9.2). Ids are UUIDs and bodies JSON: neither has a line break. */
export function envelopeFrame(id: string, type: EnvelopeType, body: string): string {
  return `event: ${type}\nid: ${id}\ndata: ${body}\n\n`;
}

/** How long a reader waits before it connects again. */
const RETRY_MS = 2000;

/**
 * What a stream begins with. A block without data is no event to its reader, but its id is taken note of: a stream that
 * breaks off before its first event can be resumed like any other.
 * @param standsAt the last envelope before it; null: there is none.
 */
export function openingFrame(standsAt: string | null): Buffer {
  return Buffer.from(`: open\nretry: ${RETRY_MS}\n${idLine(standsAt)}\n`);
}

export type ResetReason = 'not_an_id' | 'unknown_id' | 'too_old';

/** Tells a reader who wanted to resume that it cannot: something may be missing before the next envelope. */
export function resetFrame(reason: ResetReason, newestId: string | null): Buffer {
  return Buffer.from(`event: reset\n${idLine(newestId)}data: ${JSON.stringify({ reason })}\n\n`);
}

export const HEARTBEAT = Buffer.from(':\n\n');

/** A heartbeat for a reader who has been passed over: where it stands now, so that a resume begins there. */
export function heartbeatAt(id: string): Buffer {
  return Buffer.from(`:\nid: ${id}\n\n`);
}

function idLine(id: string | null): string {
  return id === null ? '' : `id: ${id}\n`;
}

/** An envelope as it is written to streams. */
export interface Frame extends Position {
  readonly type: EnvelopeType;
  readonly text: string;
}

/** Which types a stream carries. */
export interface TypeFilter {
  /** The same for the same types. */
  readonly key: string;
  lets(type: EnvelopeType): boolean;
}

/** @param types undefined: every type. */
export function filterFor(types: readonly EnvelopeType[] | undefined): TypeFilter {
  if (types === undefined) return { key: '', lets: () => true };
  const wanted = new Set(types);
  return { key: [...wanted].sort().join(), lets: (type) => wanted.has(type) };
}

/** Frames that were read together; streams that want the same of them share the bytes. */
export class FrameBatch {
  readonly #chunks = new Map<string, Buffer | null>();
  /** In characters. */
  readonly size: number;

  constructor(readonly frames: readonly Frame[]) {
    this.size = frames.reduce((size, { text }) => size + text.length, 0);
  }

  /** What the filter lets through, as one piece; null: nothing of it. */
  chunkFor(filter: TypeFilter): Buffer | null {
    let chunk = this.#chunks.get(filter.key);
    if (chunk === undefined) {
      const texts = this.frames.filter(({ type }) => filter.lets(type)).map(({ text }) => text);
      chunk = texts.length === 0 ? null : Buffer.from(texts.join(''));
      this.#chunks.set(filter.key, chunk);
    }
    return chunk;
  }
}
