import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedAddress, isOpenedAddress, loopbackBehind, type Networks } from '../addressGuard.js';
import { connectionFailure, dnsFailure, OutboundError, tlsFailure } from './outboundError.js';
import type { ResolveHost } from './resolveHost.js';

interface ConnectorOptions {
  allowed: Networks;
  resolve: ResolveHost;
  /** Trusted in place of the usual authorities. */
  ca?: string | Buffer | undefined;
  timeoutMs: number;
}

/**
 * Connects only to addresses that the guard allows. It checks every address of a name (one refused
 * address refuses them all), dials exactly that list, and checks the address of the connection
 * before a byte is sent.
 */
export function createGuardedConnector(options: ConnectorOptions) {
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
    /** Open connections, counted from the TCP handshake on. */
    get openSockets() {
      return openSockets;
    },
    /** True while a new connection is handed to undici, which is when its first request starts. */
    get isHandingOver() {
      return isHandingOver;
    },
    /** Aborts all connection attempts. */
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

  async function addressesOf(
    hostname: string,
    isAllowed: (address: string) => boolean,
  ): Promise<readonly string[]> {
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
