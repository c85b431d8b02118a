import { Agent, request } from 'node:http';

/** A request as sent: the raw path, the body as bytes. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface WireAnswer {
  status: number;
  requestId: string | undefined;
  contentType: string;
  text: string;
}

const agent = new Agent({ keepAlive: true });
const ANSWER_WITHIN_MS = 20_000;

/**
 * Sends requests that `fetch` would normalise: broken percent-encodings, dots in paths, duplicate
 * headers.
 */
export function send(url: string, { method, path, headers, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          requestId: incoming.headers['x-request-id'] as string | undefined,
          contentType: incoming.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.setTimeout(ANSWER_WITHIN_MS, () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}
