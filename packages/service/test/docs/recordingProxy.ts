import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a program sent, and the answer. */
export interface Exchange {
  /** The example that sent it (`markerPath`). */
  readonly example: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly status: number;
  readonly contentType: string;
  readonly answer: string;
}

export interface RecordingProxy {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

/** A program asks for this before each example. */
export function markerPath(example: number): string {
  return `/examples/${example}`;
}

/**
 * Passes requests on to a service and records them. A live stream ends with its first envelope.
 * @param beforeExample runs before each example, while the program waits.
 * @param onStream runs when a live stream is open.
 * @param beforeRead runs before each GET.
 */
export async function startRecordingProxy(
  target: string,
  {
    beforeExample,
    onStream,
    beforeRead,
  }: {
    beforeExample(): Promise<unknown>;
    onStream(): Promise<unknown>;
    beforeRead?(path: string): Promise<unknown>;
  },
): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  let example = -1;
  const server = createServer((request, response) => {
    void take(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const marker = /^\/examples\/(\d+)$/.exec(path);
    if (marker) {
      await beforeExample();
      example = Number(marker[1]);
      response.writeHead(204).end();
      return;
    }
    const body = await textOf(request);
    const own = example;
    if (method === 'GET') await beforeRead?.(path);
    const answer = await send(method, path, headers, body);
    const { statusCode: status = 0, headers: sent } = answer;
    const contentType = sent['content-type'] ?? '';
    const isStream = contentType.startsWith('text/event-stream');
    response.writeHead(status, sent);
    if (isStream) {
      response.flushHeaders();
      await onStream();
    }
    let text = '';
    for await (const chunk of answer) {
      response.write(chunk);
      text += String(chunk);
      if (isStream && /^data: .*\n\n/m.test(text)) break;
    }
    exchanges.push({ example: own, method, path, headers, body, status, contentType, answer: text });
    response.end();
  }

  function send(method: string, path: string, headers: IncomingMessage['headers'], body: string) {
    const { 'accept-encoding': _, ...kept } = headers;
    return new Promise<IncomingMessage>((resolve, reject) => {
      sendRequest(target + path, { method, headers: kept }, resolve)
        .on('error', reject)
        .end(body);
    });
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
