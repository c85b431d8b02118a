import { derivedUuid } from '../kit/crypto.js';

/** A subject is (platform, mode, external id), and its id follows from them: an append needs no look-up (RULES U1). */
export function subjectIdOf(platformId: string, livemode: boolean, externalId: string): string {
  return derivedUuid('subject', platformId, livemode ? 'live' : 'test', externalId);
}
