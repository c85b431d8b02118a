import { fail } from '../../../domain/errors.js';
import type { Vault } from '../../../kit/vault.js';
import { type AttemptDeps, type AttemptOutcome, attemptDelivery } from './attemptDelivery.js';
import { createSecretOpener, type SealedSecrets } from './webhookSecrets.js';

/** Whom to send to: an endpoint with its secrets as they are stored. */
interface Target extends SealedSecrets {
  readonly url: string;
}

/**
 * Sends one envelope while its caller waits, past the queue: tests and replays. Few at once, since a receiver that hangs
 * holds each for ten seconds: one too many of a platform is refused with RATE_LIMIT_EXCEEDED, of all with OVERLOADED.
 */
export type SendByHand = (
  platformId: string,
  target: Target,
  envelope: { readonly envelopeId: string; readonly body: string },
) => Promise<AttemptOutcome>;

const MAX_OF_PLATFORM = 8;
const MAX_OF_ALL = 128;

export function createSendByHand(deps: AttemptDeps & { vault: Vault }): SendByHand {
  const openSecrets = createSecretOpener(deps.vault);
  const underWay = new Map<string, number>();
  let total = 0;

  return async (platformId, target, envelope) => {
    enter(platformId);
    try {
      const secrets = openSecrets(target, deps.clock.now());
      return await attemptDelivery(deps, { url: target.url, secrets }, envelope);
    } finally {
      leave(platformId);
    }
  };

  function enter(platformId: string): void {
    const ofPlatform = underWay.get(platformId) ?? 0;
    if (ofPlatform >= MAX_OF_PLATFORM) fail('RATE_LIMIT_EXCEEDED', { message: TOO_MANY });
    if (total >= MAX_OF_ALL) fail('OVERLOADED');
    underWay.set(platformId, ofPlatform + 1);
    total += 1;
  }

  function leave(platformId: string): void {
    const left = (underWay.get(platformId) ?? 1) - 1;
    if (left === 0) underWay.delete(platformId);
    else underWay.set(platformId, left);
    total -= 1;
  }
}

const TOO_MANY = `${MAX_OF_PLATFORM} tests and replays of this platform are under way. Wait until one of them ends.`;
