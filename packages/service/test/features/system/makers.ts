import type { TestService } from '#harness/service.js';
import { asking } from '../attestation/confirmationFixtures.js';
import { filedDispute } from '../attestation/disputeFixtures.js';
import { objected, recordToken } from '../attestation/reviewFixtures.js';
import { outcome } from '../intake/eventFixtures.js';
import { csvOf, goodRows, sendImport } from '../intake/importFixtures.js';
import { known } from '../subjects/profileFixtures.js';

/** Makes one more of a kind with the key; its id. `userId` is a subject of the key's platform and mode. */
export type Make = (service: TestService, key: string, userId: string) => Promise<string> | string;

/** Creates something with a POST; the answer. */
export async function posted(service: TestService, key: string, path: string, body?: object) {
  return (await service.request('POST', path, { key, body })).body;
}

let count = 0;

/** A name that nothing else has. */
function name(): string {
  count += 1;
  return `of-the-tests-${count}`;
}

export const makers = {
  event: async (service, key) => (await posted(service, key, '/events', outcome())).eventId,
  async agent(service, key, userId) {
    await posted(service, key, '/agents', { userId: `agent ${userId}` });
    return `agent ${userId}`;
  },
  async business(service, key, userId) {
    const business = { legalName: 'Somebody Ltd' };
    await posted(service, key, '/businesses', { userId: `business ${userId}`, business });
    return `business ${userId}`;
  },
  async project(service, key, userId) {
    const body = { title: name(), url: 'https://portfolio.example/work' };
    return (await posted(service, key, `/users/${userId}/projects`, body)).id;
  },
  async qualification(service, key, userId) {
    const body = { eventType: 'SKILL_VERIFIED', title: name() };
    return (await posted(service, key, `/users/${userId}/qualifications`, body)).id;
  },
  dispute: async (service, key) => (await filedDispute(service, {}, key)).id,
  async review(service, key) {
    const userId = name();
    await known(service, userId, { key });
    return (await objected(service, await recordToken(service, userId, key))).id;
  },
  async confirmation(service, key) {
    return (await posted(service, key, '/confirmations', asking({ userId: 'of-whom' }))).confirmation.id;
  },
  async campaign(service, key) {
    const body = { name: name(), rows: [asking({ rowKey: 'one' })] };
    return (await posted(service, key, '/activation/campaigns', body)).campaign.id;
  },
  async reference(service, key) {
    await known(service, 'vouched-for', { key });
    const claim = { kind: 'skill', title: 'Tiling' };
    const body = { userId: 'vouched-for', claim, counterpartyRef: name() };
    return (await posted(service, key, '/references', body)).reference.id;
  },
  import: async (service, key) => (await sendImport(service, csvOf(goodRows(1)), { key })).body.id,
  async mapping(service, key) {
    const mapping = { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
    return (await posted(service, key, '/ingest/mappings', { name: name(), mapping })).id;
  },
  screening: async (service, key, userId) =>
    (await posted(service, key, '/screenings', { userIds: [userId] })).id,
  monitor: async (service, key, userId) =>
    (await posted(service, key, '/monitors', { userId, belowScore: 60 })).id,
  async policy(service, key) {
    const condition = { metric: 'score', direction: 'below', threshold: 60 };
    return (await posted(service, key, '/policies', { name: name(), condition })).id;
  },
  async consoleUser(service, key) {
    const body = { email: `${name()}@example.com`, role: 'viewer' };
    return (await posted(service, key, '/platform/users', body)).id;
  },
  async channel(service, key) {
    const target = `https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/${name()}`;
    return (await posted(service, key, '/notification-channels', { type: 'slack', target })).id;
  },
} satisfies Record<string, Make>;
