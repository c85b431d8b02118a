import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { openStream } from './openStream.js';
import { STREAM_EXAMPLE, StreamQuery } from './schemas.js';
import type { Streams } from './streams.js';

export function streamRoutes(deps: { streams: Streams }): RouteTable {
  return {
    'GET /events/stream': route({
      operationId: 'streamEvents',
      access: keyFor('webhooks'),
      tag: 'Stream',
      summary: 'Follow what happens as it happens',
      description:
        'The envelopes that webhooks get, over one connection, as Server-Sent Events: `event` is the type, `id` the id of the ' +
        'envelope, `data` the envelope as JSON. A live key gets what is live, a test key what is of its test universe. ' +
        'A comment every 15 seconds shows that the connection stands.\n\n' +
        'Send the last `id` you saw as `Last-Event-ID` when you connect again, and nothing is missed: the last 1000 ' +
        'envelopes of your platform and mode are kept ready. If the id is not among them (any more), the first event is ' +
        '`reset`, with a `reason` (`not_an_id`, `unknown_id`, `too_old`): read what you need anew, then go on. A client that ' +
        'reads too slowly is cut off and resumes in the same way. The stream ends when its key is revoked or expires, and ' +
        'when the service stops. Test deliveries to a webhook are not streamed.',
      query: StreamQuery,
      answers: { 200: { media: [{ type: 'text/event-stream', example: STREAM_EXAMPLE }] } },
      errors: ['STREAM_LIMIT_REACHED'],
      handle: (context) => openStream(deps, context),
    }),
  };
}
