import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './freePort.js';

/** A way to a server that can stop forwarding, as if the server were frozen: connections stay open. */
export interface FreezingProxy {
  /** The URL of the server, by way of the proxy. */
  url: string;
  freeze(): void;
  close(): void;
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
      from.on('close', () => to.destroy());
      from.on('data', (bytes) => {
        if (!isFrozen) to.write(bytes);
      });
    }
  });
  const own = await freePort();
  await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(own);
  return {
    url: through.href,
    freeze() {
      isFrozen = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
