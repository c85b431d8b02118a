import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from './config.js';
import { localAddress } from './firstStart.js';

type Address = Pick<Config, 'role' | 'host' | 'port'>;

/**
 * Checks that HOST and PORT are free, so that a port in use is found before anything is created. The
 * port is not held during the start: a proxy repeats any request whose connection is refused, and no
 * POST whose connection was accepted and reset.
 * Throws ConfigError.
 */
export async function assertAddressFree({ role, host, port }: Address): Promise<void> {
  if (role === 'worker') return;
  const probe = createServer((socket) => socket.destroy());
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
  } catch (error) {
    throw new ConfigError(whyNotListening(error, host, port));
  }
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * @returns the address on this machine; null for a worker, which does not listen. Throws
 * ConfigError.
 */
export async function listen(server: FastifyInstance | null, { host, port }: Address) {
  if (!server) return null;
  try {
    await server.listen({ host, port });
  } catch (error) {
    throw new ConfigError(whyNotListening(error, host, port));
  }
  const [bound] = server.addresses();
  return localAddress(host, typeof bound === 'object' ? bound.port : port);
}

function whyNotListening(error: unknown, host: string, port: number): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use. Stop the other program, or set PORT to a free port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`;
    default:
      return `Cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : error}`;
  }
}
