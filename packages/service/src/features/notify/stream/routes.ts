import type { Readable } from 'node:stream';
import type { TypedAnswer } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { StreamQuery } from './schemas.js';
import type { Streams } from './streams.js';

export function streamRoutes({ streams }: { streams: Streams }): RouteTable {
  return {
    'GET /events/stream': route({
      operationId: 'streamEvents',
      access: keyFor('webhooks'),
      tag: 'Stream',
      query: StreamQuery,
      answers: { 200: { media: [{ type: 'text/event-stream' }] } },
      errors: ['STREAM_LIMIT_REACHED'],
      async handle({ caller, query, header, isHead }) {
        if (isHead) return headAnswer;
        // Clients without an id send an empty one.
        const lastEventId = header('last-event-id') || undefined;
        const body = await streams.open(caller, { types: query.types, lastEventId });
        return { status: 200, body, headers: HEADERS, isOpenEnded: true } as const;
      },
    }),
  };
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies must not store or buffer the stream.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Without a body rather than with an empty one, which would announce a Content-Length of 0. */
const headAnswer = { status: 200, body: null, headers: HEADERS } as unknown as TypedAnswer<200, Readable>;
