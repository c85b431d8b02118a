import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where the demo's webhooks go: a server on this machine. `/crm/v2` fails, everything else accepts. */
export interface Receiver {
  port: number;
  close(): void;
}

/** @param port 0: any free one. Rejects if it is not free. */
export async function startReceiver(port: number): Promise<Receiver> {
  const server = createServer((request, response) => {
    const isBroken = request.url === '/crm/v2';
    request.resume().once('end', () => {
      response.writeHead(isBroken ? 503 : 200, { 'content-type': 'text/plain' });
      response.end(isBroken ? 'The CRM is being moved.\n' : 'ok\n');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
