import { beforeAll, expect } from 'vitest';
import type { Engine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { TestAnswer, TestService } from '#harness/service.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';
import type { Alias } from './linkFixtures.js';

export const GOOD = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

/** A declaration that another party runs the agent. */
export const ELSEWHERE = { platformIsOperator: false, operator: { name: 'Harbour Robotics Ltd' } };

/** What an event has lost whose verification does not count. */
export const DOWNGRADED = [{ code: 'VERIFICATION_DOWNGRADED', message: expect.any(String) }];

/** A platform that declares agents and businesses, and others with one of them each. */
export function givenDeclarer(engine: Engine) {
  const service = givenSharedService(engine);
  const platform = {} as OwnPlatform;
  let count = 0;
  beforeAll(async () => {
    Object.assign(platform, await addedPlatform(service, 'Declarer'));
  });
  const of = (userId: string): Alias => ({ platform, userId });
  return {
    service,
    platform,
    /** An id that no subject has. */
    fresh: () => `declared-${++count}`,
    of,
    registerAgent: (body: object) => registerAgent(service, platform, body),
    registerBusiness: (body: object) => registerBusiness(service, platform, body),
    agent: (userId: string, more?: object) => agent(service, userId, more),
    business: (userId: string, more?: object) => business(service, userId, more),
    /** Reports a verified good outcome. */
    post: (userId: string, more: object = {}, key = platform.live.key) =>
      report(service, outcome({ userId, ...GOOD, ...more }), { key }),
    readAgent: (declared: Alias) => readDeclared(service, declared, 'agents'),
    readBusiness: (declared: Alias, end = '') => readDeclared(service, declared, 'businesses', end),
    /** The subject in the book of its platform. */
    inBook: async (userId: string) => {
      const path = `/users?q=${encodeURIComponent(userId)}&sort=externalId`;
      return (await service.request('GET', path, { key: platform.live.key })).body.users[0];
    },
  };
}

/** An agent of a platform of its own. */
export function agent(service: TestService, userId: string, more: object = {}): Promise<Alias> {
  return declaredElsewhere(service, userId, '/agents', more);
}

/** A business of a platform of its own. */
export function business(service: TestService, userId: string, more: object = {}): Promise<Alias> {
  const identity = { legalName: `${userId} Ltd` };
  return declaredElsewhere(service, userId, '/businesses', { business: identity, ...more });
}

async function declaredElsewhere(service: TestService, userId: string, path: string, more: object) {
  const platform = await addedPlatform(service, `Platform of ${userId}`);
  const answer = await service.request('POST', path, { key: platform.live.key, body: { userId, ...more } });
  if (answer.status !== 201) throw new Error(`not declared: ${answer.text}`);
  return { platform, userId };
}

/** POST /agents with a platform's live key. */
export function registerAgent(service: TestService, { live: { key } }: OwnPlatform, body: object) {
  return service.request('POST', '/agents', { key, body });
}

/** POST /businesses with a platform's live key. */
export function registerBusiness(service: TestService, { live: { key } }: OwnPlatform, body: object) {
  return service.request('POST', '/businesses', { key, body });
}

/** A positive outcome that this counterparty confirmed. */
export async function confirm(
  service: TestService,
  { platform, userId }: Alias,
  counterpartyRef: string,
  more: object = {},
): Promise<void> {
  const what = { eventType: 'CONTRACT_FULFILLED', description: 'A parcel, brought' };
  const body = { userId, counterpartyRef, ...what, ...more };
  const asked = await service.request('POST', '/confirmations', { key: platform.live.key, body });
  if (asked.status !== 201) throw new Error(`no confirmation: ${asked.text}`);
  const { confirmation, confirmationToken: token } = asked.body;
  const answer = { key: null, body: { token, decision: 'confirm' } };
  const answered = await service.request('POST', `/confirmations/${confirmation.id}/respond`, answer);
  if (answered.status !== 200) throw new Error(`not confirmed: ${answered.text}`);
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
export function readDeclared(service: TestService, of: Alias, path: 'agents' | 'businesses', end = '') {
  const target = `/${path}/${encodeURIComponent(of.userId)}${end}`;
  return service.request('GET', target, { key: of.platform.live.key });
}
