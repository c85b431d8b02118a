import { fail } from '../../../domain/errors.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type AttemptDeps, type AttemptOutcome, attemptDelivery } from './attemptDelivery.js';
import { createSecretOpener, type SealedSecrets } from './webhookSecrets.js';

interface Target extends SealedSecrets {
  readonly url: string;
}

/**
 * Sends one envelope past the queue while the caller waits (tests and replays). A receiver that
 * hangs keeps each of these requests for ten seconds, so few run at once: one too many for a
 * platform is refused with RATE_LIMIT_EXCEEDED, one too many for the process with OVERLOADED.
 */
export type SendNow = (
  platformId: string,
  target: Target,
  envelope: { readonly envelopeId: string; readonly body: string },
) => Promise<AttemptOutcome>;

const MAX_OF_PLATFORM = 8;
const MAX_OF_PROCESS = 128;

export function createSendNow(deps: AttemptDeps & Pick<ServiceDeps, 'vault'>): SendNow {
  const openSecrets = createSecretOpener(deps.vault);
  const running = new Map<string, number>();
  let total = 0;

  return async (platformId, target, envelope) => {
    acquire(platformId);
    try {
      const secrets = openSecrets(target, deps.clock.now());
      return await attemptDelivery(deps, { url: target.url, secrets }, envelope);
    } finally {
      release(platformId);
    }
  };

  function acquire(platformId: string): void {
    const ofPlatform = running.get(platformId) ?? 0;
    if (ofPlatform >= MAX_OF_PLATFORM) fail('RATE_LIMIT_EXCEEDED', { message: TOO_MANY });
    if (total >= MAX_OF_PROCESS) fail('OVERLOADED');
    running.set(platformId, ofPlatform + 1);
    total += 1;
  }

  function release(platformId: string): void {
    const left = (running.get(platformId) ?? 1) - 1;
    if (left === 0) running.delete(platformId);
    else running.set(platformId, left);
    total -= 1;
  }
}

const TOO_MANY = `${MAX_OF_PLATFORM} test deliveries and replays of this platform are running. Wait until one ends.`;
