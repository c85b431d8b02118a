import type { z } from 'zod';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { StreamQuery } from './schemas.js';
import type { Streams } from './streams.js';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies must neither keep nor gather what is sent.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** GET /events/stream: envelopes as they are written, as Server-Sent Events (RULES N6). */
export async function openStream(
  { streams }: { streams: Streams },
  {
    caller,
    query,
    header,
    isHead,
  }: RequestContext<KeyAccess, undefined, z.output<typeof StreamQuery>, undefined>,
): Promise<Answer> {
  if (isHead) return { status: 200, body: null, headers: HEADERS };
  // An empty id is how a client says that it has none.
  const lastEventId = header('last-event-id') || undefined;
  const body = await streams.open(caller, { types: query.types, lastEventId });
  return { status: 200, body, headers: HEADERS, isOpenEnded: true };
}
