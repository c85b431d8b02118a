import { isIP } from 'node:net';
import { isAllowedAddress, type Networks } from '#kit/addressGuard.js';
import { createOutboundFetch, OutboundError, type OutboundFetch } from '#kit/outboundFetch.js';

/**
 * The service's outbound client, limited to this machine: examples and random values name foreign
 * hosts, and a test run must not connect to them.
 */
export function loopbackOutbound(allowed: Networks): OutboundFetch {
  const real = createOutboundFetch({ allowed, lookup: noAddress });
  return {
    post: (request) => (isPublicAddress(request.url) ? unreachable() : real.post(request)),
    send: (request) => (isPublicAddress(request.url) ? unreachable() : real.send(request)),
    get openSockets() {
      return real.openSockets;
    },
    close: () => real.close(),
  };
}

function noAddress(): Promise<never> {
  return Promise.reject(Object.assign(new Error('tests look up no names'), { code: 'ENOTFOUND' }));
}

function isPublicAddress(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  return isIP(host) !== 0 && isAllowedAddress(host, []);
}

function unreachable(): Promise<never> {
  return Promise.reject(new OutboundError('connection', 'The receiver cannot be reached.'));
}
