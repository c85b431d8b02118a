import { parseNetworks } from '../../../kit/addressGuard.js';
import { createOutboundFetch, type OutboundFetch } from '../../../kit/outboundFetch.js';

/**
 * Outgoing HTTP to witnesses. The operator names their addresses, not a caller, so they may be in a
 * private network and plain http.
 */
export function createWitnessOutbound(): OutboundFetch {
  return createOutboundFetch({ allowed: parseNetworks('0.0.0.0/0,::/0'), connectionsPerOrigin: 4 });
}
