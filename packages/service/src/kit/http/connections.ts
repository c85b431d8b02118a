import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isWithin, networkOf, parseNetworks } from '../addressGuard.js';

export interface ConnectionLimits {
  maxConnections?: number | undefined;
  /** Trusted proxies for X-Forwarded-For: their number or their networks. Default: none. */
  trustProxy?: number | string[] | undefined;
}

/** The connections of one address, in IPv6 of its /64 network. */
interface Holder {
  readonly address: string;
  readonly isProxy: boolean;
  open: number;
  readonly idle: Set<Socket>;
}

interface Connection {
  readonly holder: Holder;
  requests: number;
}

const SHARES = 4;
const MINUTE_MS = 60_000;

/**
 * Keeps at most MAX_CONNECTIONS open, and at most a quarter of them for one address that is no
 * trusted proxy. A connection beyond takes the place of an idle one: of the same address if that is
 * at its share, else of the address with the most connections, proxies last. It is closed only if
 * none is idle. Not by `server.maxConnections`: it counts no addresses, and Node offers a connection
 * that one of several processes refuses to the next, in circles.
 */
export function limitConnections(
  app: FastifyInstance,
  { maxConnections = Number.POSITIVE_INFINITY, trustProxy }: ConnectionLimits,
  log: FastifyBaseLogger,
): void {
  const { server } = app;
  const share = Math.ceil(maxConnections / SHARES);
  const isProxy = proxyCheck(trustProxy);
  const connections = new Map<Socket, Connection>();
  const holders = new Map<string, Holder>();
  let counts = { dropped: 0, closedIdle: 0 };
  let loggedMs = Number.NEGATIVE_INFINITY;

  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const ofProxy = isProxy(remoteAddress);
    const address = ofProxy ? remoteAddress : networkOf(remoteAddress);
    if (!hasRoomFor(holders.get(address))) {
      socket.destroy();
      server.emit('drop');
      return note('dropped');
    }
    const holder = holders.get(address) ?? { address, isProxy: ofProxy, open: 0, idle: new Set() };
    holders.set(address, holder);
    holder.open += 1;
    holder.idle.add(socket);
    connections.set(socket, { holder, requests: 0 });
    socket.once('close', () => forget(socket));
  });

  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.requests += 1;
    connection.holder.idle.delete(socket);
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && connections.has(socket)) connection.holder.idle.add(socket);
    });
  });

  // Node does not count a connection without any request as idle, so it would delay a stop until its
  // timeout.
  app.addHook('preClose', (done) => {
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    done();
  });

  function hasRoomFor(holder: Holder | undefined): boolean {
    if (holder && !holder.isProxy && holder.open >= share) return closeOldestIdle(holder);
    return connections.size < maxConnections || closeOldestIdle(greediestWithIdle());
  }

  function greediestWithIdle(): Holder | undefined {
    let greediest: Holder | undefined;
    for (const holder of holders.values()) {
      if (holder.idle.size > 0 && (!greediest || isGreedier(holder, greediest))) greediest = holder;
    }
    return greediest;
  }

  function closeOldestIdle(holder: Holder | undefined): boolean {
    const [oldest] = holder?.idle ?? [];
    if (!oldest) return false;
    forget(oldest);
    oldest.destroy();
    note('closedIdle');
    return true;
  }

  function forget(socket: Socket): void {
    const holder = connections.get(socket)?.holder;
    if (!holder) return;
    connections.delete(socket);
    holder.idle.delete(socket);
    holder.open -= 1;
    if (holder.open === 0) holders.delete(holder.address);
  }

  /** At most a line a minute. */
  function note(event: keyof typeof counts): void {
    counts[event] += 1;
    if (performance.now() - loggedMs < MINUTE_MS) return;
    loggedMs = performance.now();
    log.warn(
      { maxConnections, ...counts },
      'MAX_CONNECTIONS are open, or the share of an address: idle connections are closed, and new ones if none is idle',
    );
    counts = { dropped: 0, closedIdle: 0 };
  }
}

function isGreedier(one: Holder, other: Holder): boolean {
  return one.isProxy === other.isProxy ? one.open > other.open : other.isProxy;
}

/** With a number of proxies every connection comes from one. */
function proxyCheck(trustProxy: ConnectionLimits['trustProxy']): (address: string) => boolean {
  if (!Array.isArray(trustProxy)) return () => trustProxy !== undefined;
  const networks = parseNetworks(trustProxy.join());
  return (address) => isWithin(address, networks);
}
