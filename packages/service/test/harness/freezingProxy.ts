import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './freePort.js';

/** A way to a server that can be cut off. */
export interface FreezingProxy {
  /** The URL of the server, by way of the proxy. */
  url: string;
  /** As if the server were frozen: connections stay open, and also new ones get no answer. */
  freeze(): void;
  /** As if the server were killed: connections are closed, and new ones refused. */
  close(): void;
  /** Undoes both. */
  recover(): Promise<void>;
}

export async function openFreezingProxy(url: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => to.write(bytes));
      if (isFrozen) from.pause();
    }
  });
  const own = await freePort();
  const listen = () => new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
  await listen();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(own);
  return {
    url: through.href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    async recover() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen();
    },
  };
}
