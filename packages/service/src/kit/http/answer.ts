import type { Readable } from 'node:stream';

/** What a handler returns; sending it is the kit's business. */
export interface Answer {
  readonly status: number;
  readonly body: object | string | Readable | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** It lasts as long as its reader stays, so it is counted when it begins. */
  readonly isOpenEnded?: true;
}

export const REPLAYED = { 'Idempotent-Replay': 'true' } as const;

export function ok(body: object, headers?: Record<string, string>): Answer {
  return { status: 200, body, headers };
}

export function created(body: object, headers?: Record<string, string>): Answer {
  return { status: 201, body, headers };
}

/** Text or a stream in a media type of its own. */
export function media(type: string, body: string | Readable, headers?: Record<string, string>): Answer {
  return { status: 200, body, headers: { ...headers, 'Content-Type': type } };
}
