import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from './config.js';
import { localAddress } from './welcome.js';

type Address = Pick<Config, 'role' | 'host' | 'port'>;

/**
 * Holds HOST and PORT while the start makes what it needs, so that a port in use is found before anything is made.
 * Throws ConfigError. @returns release, which lets the server have them.
 */
export async function reserveAddress({ role, host, port }: Address): Promise<() => Promise<void>> {
  if (role === 'worker') return async () => {};
  const holder = createServer((socket) => socket.destroy());
  try {
    holder.listen({ host, port });
    await once(holder, 'listening');
  } catch (error) {
    throw new ConfigError(whyNotListening(error, host, port));
  }
  return () => new Promise((resolve) => holder.close(() => resolve()));
}

/** Answers the address on this machine; null for a worker, which listens to nobody. Throws ConfigError. */
export async function listen(server: FastifyInstance, { role, host, port }: Address): Promise<string | null> {
  if (role === 'worker') return null;
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
      return `Port ${port} on ${host} is taken by another program. Stop that one, or set PORT to a free port.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user. Set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all of them.`;
    default:
      return `Listening on ${host}, port ${port}, failed: ${error instanceof Error ? error.message : error}`;
  }
}
