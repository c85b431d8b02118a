import type { TestAnswer, TestService } from '#harness/service.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import type { Alias } from './linkFixtures.js';

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

/** A record said to be verified by a party that the reporter names: POST /ingest. */
export async function ingested(
  service: TestService,
  { platform, userId }: Alias,
  verifiedBy: string | null,
  more: object = {},
): Promise<TestAnswer> {
  const record = { userId, ...GOOD, verifiedBy, ...more };
  const mapping = Object.fromEntries(Object.keys(record).map((name) => [name, { path: name }]));
  const body = { records: [record], mapping };
  const answer = await service.request('POST', '/ingest', { key: platform.live.key, body });
  if (answer.body.createdCount !== 1) throw new Error(`not ingested: ${answer.text}`);
  return answer;
}

/** GET of an agent or a business, with its platform's live key. */
export async function readDeclared(
  service: TestService,
  { platform, userId }: Alias,
  path: 'agents' | 'businesses',
  end = '',
) {
  const target = `/${path}/${encodeURIComponent(userId)}${end}`;
  return service.request('GET', target, { key: platform.live.key });
}
