import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createClient } from '@reliability/client';
import { type SerializedAnswer, serializedAnswer } from '#kit/http/answer.js';
import type { KeyAccess, RequestContext } from '#kit/http/route.js';
import { createToolServer } from './toolServer.js';

/** Never dialled: its requests go to the routes of this process. */
const OWN = 'http://service.invalid';

/** What the protocol reads of a request besides its body. */
const HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

type Context = RequestContext<KeyAccess, object, undefined, undefined>;

/** Answers one message, as JSON. Nothing is kept between two: each carries its key. */
export async function serveMcp(context: Context, version: string): Promise<SerializedAnswer> {
  const client = createClient({
    baseUrl: OWN,
    retries: 0,
    fetch: (input, init) => context.fetchAsCaller(new Request(input, init)),
  });
  const makeServer = () => createToolServer(client, version);
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const name of HEADERS) {
    const value = context.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const request = new Request(`${OWN}/mcp`, { method: 'POST', headers });
  const options = { parsedBody: context.body };
  const response = (await isLegacyRequest(request, context.body))
    ? await serveLegacy(makeServer(), request, options)
    : // The tools never change, so there is nothing to subscribe to.
      await createMcpHandler(makeServer, { maxSubscriptions: 0, legacy: 'reject' }).fetch(request, options);
  const type = response.headers.get('content-type');
  return serializedAnswer({
    status: response.status,
    body: (await response.text()) || null,
    headers: type === null ? {} : { 'Content-Type': type },
  });
}

/** Revisions before 2026-07-28. The library's own fallback answers them with event streams. */
async function serveLegacy(
  server: ReturnType<typeof createToolServer>,
  ...asked: Parameters<WebStandardStreamableHTTPServerTransport['handleRequest']>
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(...asked);
  } finally {
    await server.close();
  }
}
