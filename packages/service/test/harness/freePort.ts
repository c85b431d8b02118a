import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port of this machine for a program that is about to start. It is below those that the system
 * gives to connections and to `listen(0)`: one of these could be taken before the program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_768);
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
}

const given = new Set<number>();

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
