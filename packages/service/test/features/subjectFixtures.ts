import type { TestAnswer, TestService } from '../harness/service.js';
import { type Alias, reportOf } from './linkFixtures.js';
import { addedPlatform, type OwnPlatform } from './trail.js';

export const GOOD = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

/** POST /agents with a platform's live key. */
export function registerAgent(
  service: TestService,
  platform: OwnPlatform,
  body: object,
): Promise<TestAnswer> {
  return service.request('POST', '/agents', { key: platform.live.key, body });
}

/** POST /businesses with a platform's live key. */
export function registerBusiness(
  service: TestService,
  platform: OwnPlatform,
  body: object,
): Promise<TestAnswer> {
  return service.request('POST', '/businesses', { key: platform.live.key, body });
}

/** An agent of a platform of its own. */
export async function agent(service: TestService, userId: string, more: object = {}): Promise<Alias> {
  const platform = await addedPlatform(service, `Platform of ${userId}`);
  const answer = await registerAgent(service, platform, { userId, ...more });
  if (answer.status !== 201) throw new Error(`no agent: ${answer.text}`);
  return { platform, userId };
}

/** A business of a platform of its own. */
export async function business(service: TestService, userId: string, more: object = {}): Promise<Alias> {
  const platform = await addedPlatform(service, `Platform of ${userId}`);
  const body = { userId, business: { legalName: `${userId} Ltd` }, ...more };
  const answer = await registerBusiness(service, platform, body);
  if (answer.status !== 201) throw new Error(`no business: ${answer.text}`);
  return { platform, userId };
}

/** A positive outcome that this counterparty confirmed. */
export async function confirm(
  service: TestService,
  { platform, userId }: Alias,
  counterpartyRef: string,
  more: object = {},
): Promise<void> {
  const body = {
    userId,
    eventType: 'CONTRACT_FULFILLED',
    counterpartyRef,
    description: 'A parcel, brought',
    ...more,
  };
  const asked = await service.request('POST', '/confirmations', { key: platform.live.key, body });
  if (asked.status !== 201) throw new Error(`no confirmation: ${asked.text}`);
  const { confirmation, confirmationToken } = asked.body;
  const answer = await service.request('POST', `/confirmations/${confirmation.id}/respond`, {
    key: null,
    body: { token: confirmationToken, decision: 'confirm' },
  });
  if (answer.status !== 200) throw new Error(`not confirmed: ${answer.text}`);
}

/** A verified outcome whose witness the reporter names. */
export function witnessed(service: TestService, of: Alias, verifiedBy: string, more: object = {}) {
  return reportOf(service, of, { ...GOOD, metadata: { verifiedBy }, ...more });
}

/** GET of an agent or a business, with its platform's live key. */
export async function shown(
  service: TestService,
  { platform, userId }: Alias,
  path: 'agents' | 'businesses',
  end = '',
) {
  const target = `/${path}/${encodeURIComponent(userId)}${end}`;
  return service.request('GET', target, { key: platform.live.key });
}
