import { Agent, request } from 'node:http';
import { LIVE_KEY } from '../crash/api.js';

export type KeptConnection = ReturnType<typeof keepConnection>;

/** A client with one connection, which it keeps open between its requests. */
export function keepConnection(url: string, headers: Record<string, string> = bearer(LIVE_KEY)) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let port = 0;
  return {
    /** The client's port of the connection; 0 before the first answer. */
    get port() {
      return port;
    },
    /** Below /api/v1, or below the root for a path that starts with `!`. Rejects if the connection breaks. */
    send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
      return new Promise((resolve, reject) => {
        const address = path.startsWith('!') ? url + path.slice(1) : `${url}/api/v1${path}`;
        const call = request(address, {
          agent,
          method,
          headers: { ...headers, 'Content-Type': 'application/json' },
        });
        call.once('socket', (socket) => {
          if (socket.connecting) socket.once('connect', () => (port = socket.localPort ?? 0));
        });
        call.once('error', reject);
        call.once('response', (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => {
            text += chunk.toString();
          });
          answer.once('error', reject);
          answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        });
        call.end(body === undefined ? undefined : JSON.stringify(body));
      });
    },
    close: () => agent.destroy(),
  };
}

export function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}
