import { lookup, Resolver } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import { isAllowedAddress, isOpenedAddress, loopbackBehind, type Networks } from '../addressGuard.js';
import { codeOf, connectionFailure, dnsFailure, OutboundError, tlsFailure } from './exchange.js';

/**
 * Connects only to addresses that the guard allows. It checks every address of a name (one refused address
 * refuses them all), dials exactly that list, and checks the address of the connection before a byte is sent.
 * @param options.ca trusted in place of the usual authorities.
 */
export function createGuardedConnector(options: {
  allowed: Networks;
  resolve: ResolveHost;
  ca?: string | Buffer | undefined;
  timeoutMs: number;
}) {
  const secure = buildConnector({ ...(options.ca === undefined ? {} : { ca: options.ca }), timeout: 0 });
  const attempts = new Set<AbortController>();
  let openSockets = 0;
  let isHandingOver = false;

  return {
    connect(target: buildConnector.Options, callback: buildConnector.Callback) {
      const attempt = new AbortController();
      const timer = setTimeout(() => attempt.abort(tooSlow()), options.timeoutMs);
      attempts.add(attempt);
      void open(target, attempt.signal)
        .finally(() => {
          clearTimeout(timer);
          attempts.delete(attempt);
        })
        .then(
          (socket) => {
            isHandingOver = true;
            callback(null, socket);
            isHandingOver = false;
          },
          (error: unknown) => callback(connectionFailure(error), null),
        );
    },
    get openSockets() {
      return openSockets;
    },
    /** True while a new connection is handed to undici, which is when its first request starts. */
    get isHandingOver() {
      return isHandingOver;
    },
    close() {
      for (const attempt of attempts) attempt.abort(new OutboundError('aborted', 'The service is stopping.'));
    },
  };

  async function open(target: buildConnector.Options, signal: AbortSignal): Promise<Socket> {
    const givenUp = rejectionOf(signal);
    // Plain http is allowed only in networks that the operator opened.
    const mayTake = target.protocol === 'https:' ? isAllowedAddress : isOpenedAddress;
    const isAllowed = (address: string) => mayTake(address, options.allowed);
    const addresses = await Promise.race([givenUp, addressesOf(target.hostname, isAllowed)]);
    const socket = dial(target, addresses);
    try {
      await Promise.race([givenUp, connected(socket)]);
      if (!isAllowed(socket.remoteAddress ?? '')) throw refused();
      if (target.protocol !== 'https:') return socket;
      return await Promise.race([givenUp, secured({ ...target, httpSocket: socket })]);
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  async function addressesOf(hostname: string, isAllowed: (address: string) => boolean) {
    // No DNS query: this machine has both addresses, and one of them may be allowed.
    const own = loopbackBehind(hostname)?.filter(isAllowed);
    const addresses = own ?? (isIP(hostname) === 0 ? await resolved(hostname) : [hostname]);
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw refused();
    return addresses;
  }

  async function resolved(hostname: string): Promise<readonly string[]> {
    const addresses = await options.resolve(hostname).catch((error: unknown) => {
      throw dnsFailure(error);
    });
    if (addresses.length > 0) return addresses;
    throw new OutboundError('dns', 'The host name has no address.');
  }

  function dial({ hostname, port }: buildConnector.Options, addresses: readonly string[]): Socket {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }));
    const socket = connectTcp({
      host: hostname,
      port: Number(port),
      noDelay: true,
      keepAlive: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      // undici skips `lookup` for a literal address, which was checked above. A name is dialled
      // only at its checked addresses.
      lookup: (_hostname, _options, callback) => callback(null, answers),
    });
    // Stays for the life of the socket: an error without a listener would end the process.
    socket.on('error', () => {});
    socket.once('connect', () => {
      openSockets += 1;
      socket.once('close', () => {
        openSockets -= 1;
      });
    });
    return socket;
  }

  function secured(target: buildConnector.Options): Promise<Socket> {
    return new Promise((resolve, reject) => {
      secure(target, (error, socket) => (error === null ? resolve(socket) : reject(tlsFailure(error))));
    });
  }
}

const NEXT_ADDRESS_AFTER_MS = 1000;

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve).once('error', (error) => reject(connectionFailure(error)));
  });
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Waiters get the error. Without a waiter it must not become an unhandled rejection.
  rejection.catch(() => {});
  return rejection;
}

function refused(): OutboundError {
  return new OutboundError('refused_target', 'The host name resolves to an address that is not public.');
}

function tooSlow(): OutboundError {
  return new OutboundError('timeout', 'The receiver did not accept the connection in time.');
}

export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers without a thread: with the look-up of the system, four names with silent
 * servers would block all others. It is used only with `knowsPrivateNames` and when the servers
 * have no address, for names from a hosts file.
 */
export function createHostResolver(options: {
  knowsPrivateNames: boolean;
  servers?: readonly string[];
}): ResolveHost {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (options.knowsPrivateNames)
      return (await lookup(hostname, { all: true })).map(({ address }) => address);
    throw worstOf(answers);
  };
}

const QUERY_TIMEOUT_MS = 2500;

/** A failed query says more than "no such record": a name may have only one kind of address. */
function worstOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors = answers.flatMap((answer): unknown[] =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  return errors.find((error) => !['ENODATA', 'ENOTFOUND'].includes(codeOf(error))) ?? errors[0];
}

/**
 * A pool of connections for each origin, removed with its last connection. undici 7 does the same
 * in Agent, but drops a pool even when requests wait in it and opens another: a receiver that
 * closes after each answer then gets many times `connections`.
 */
export function createOriginPools(options: Pool.Options) {
  const pools = new Map<string, Pool>();

  return {
    dispatch(request: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler) {
      const pool = pools.get(request.origin) ?? open(request.origin);
      pool.dispatch(request, handler);
    },
    get size() {
      return pools.size;
    },
    async destroy() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };

  function open(origin: string): Pool {
    const pool = new Pool(origin, options);
    const forgetIfIdle = (): void => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || pools.get(origin) !== pool) return;
      pools.delete(origin);
      void pool.destroy();
    };
    // Not at once: the reporting client first starts the next request in its queue.
    const forgetSoonIfIdle = (): void => queueMicrotask(forgetIfIdle);
    pool.on('disconnect', forgetSoonIfIdle).on('connectionError', forgetSoonIfIdle);
    pools.set(origin, pool);
    return pool;
  }
}
