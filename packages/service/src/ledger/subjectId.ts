import { derivedUuid } from '#kit/crypto.js';

/** The id is derived from (platform, mode, external id), so an append needs no lookup (RULES U1). */
export function subjectIdOf(platformId: string, livemode: boolean, externalId: string): string {
  return derivedUuid('subject', platformId, livemode ? 'live' : 'test', externalId);
}
