import { createMcpHandler } from '@modelcontextprotocol/server';
import { createClient } from '@reliability/client';
import { type SerializedAnswer, serializedAnswer } from '#kit/http/answer.js';
import type { KeyAccess, RequestContext } from '#kit/http/route.js';
import { createToolServer } from './toolServer.js';

/** Never dialled: its requests go to the routes of this process. */
const OWN = 'http://service.invalid';

/** What the protocol reads of a request besides its body. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

type Context = RequestContext<KeyAccess, object, undefined, undefined>;

/** Answers one message. Nothing is kept between two: each carries its key. */
export async function serveMcp(context: Context, version: string): Promise<SerializedAnswer> {
  const client = createClient({
    baseUrl: OWN,
    retries: 0,
    fetch: (input, init) => context.fetchAsCaller(new Request(input, init)),
  });
  // The tools never change, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => createToolServer(client, version), { maxSubscriptions: 0 });
  const headers = HEADERS.flatMap((name) => {
    const value = context.header(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  const request = new Request(`${OWN}/mcp`, { method: 'POST', headers });
  const response = await handler.fetch(request, { parsedBody: context.body });
  const type = response.headers.get('content-type');
  return serializedAnswer({
    status: response.status,
    body: (await response.text()) || null,
    headers: type === null ? {} : { 'Content-Type': type },
  });
}
