import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request as sent: the raw path, the body as bytes. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export type WireAnswer = Awaited<ReturnType<typeof send>>;

const agent = new Agent({ keepAlive: true });
const ANSWER_WITHIN_MS = 20_000;

/**
 * Sends requests that `fetch` would normalise: broken percent-encodings, dots in paths, duplicate
 * headers.
 */
export async function send(url: string, { method, path, headers, body }: WireRequest) {
  const { hostname, port } = new URL(url);
  const outgoing = request({ agent, hostname, port, method, path, headers });
  outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error('no answer')));
  outgoing.end(body ?? undefined);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error('there is no answer');
  return {
    status: incoming.statusCode ?? 0,
    requestId: incoming.headers['x-request-id'] as string | undefined,
    contentType: incoming.headers['content-type'] ?? '',
    text: await text(incoming),
  };
}
