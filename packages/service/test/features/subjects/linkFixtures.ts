import { groupCount } from '#harness/engines.js';
import type { TestAnswer, TestService } from '#harness/service.js';
import { reportAll } from '../insight/recordFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform } from '../tenancy/trail.js';

/** A live subject as one platform knows it. */
export interface Alias {
  platform: OwnPlatform;
  userId: string;
}

/** A platform of its own with one live subject, which has so many events. */
export async function alias(service: TestService, userId: string, events: readonly object[]): Promise<Alias> {
  const platform = await addedPlatform(service, `Platform of ${userId}`);
  const own = { platform, userId };
  for (const event of events) await reportOf(service, own, event);
  return own;
}

export function reportOf(service: TestService, { platform, userId }: Alias, event: object = {}) {
  return report(service, outcome({ userId, ...event }), { key: platform.live.key });
}

/** Calls `/users/{id}<path>` of the subject with its platform's live key. */
export function ask(
  service: TestService,
  { platform, userId }: Alias,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  const target = `/users/${encodeURIComponent(userId)}${path}`;
  return service.request(method, target, { ...options, key: platform.live.key });
}

export async function tokenOf(service: TestService, host: Alias): Promise<string> {
  const answer = await ask(service, host, 'POST', '/link-token');
  if (answer.status !== 201) throw new Error(`no token: ${answer.text}`);
  return answer.body.linkToken;
}

/** Links a subject with the record of the host. */
export async function link(service: TestService, joining: Alias, host: Alias): Promise<TestAnswer> {
  const linkToken = await tokenOf(service, host);
  return ask(service, joining, 'POST', '/links', { body: { linkToken } });
}

export function unlink(service: TestService, leaving: Alias): Promise<TestAnswer> {
  return ask(service, leaving, 'DELETE', '/links');
}

/** The score of a subject. */
export async function scoreOf(service: TestService, of: Alias) {
  return (await ask(service, of, 'GET', '/score')).body;
}

/**
 * The published figures of a subject, which all aliases in a record share. Each ledger group computes
 * them at a time of its own.
 */
export async function figuresOf(service: TestService, of: Alias) {
  const { userId: _, computedAt, ...figures } = await scoreOf(service, of);
  return groupCount > 1 ? figures : { ...figures, computedAt };
}

/** Fifty-one events at once, one more than VELOCITY_MAX_PER_HOUR=50 lets pass. */
export function freeze(service: TestService, { platform, userId }: Alias, event: object) {
  return reportAll(service, userId, Array(51).fill(event), platform.live.key);
}

/** The operator ends the freeze. */
export async function thaw(service: TestService, { platform, userId }: Alias): Promise<void> {
  const path = `/admin/users/${userId}/resolve-velocity-flag?platformId=${platform.id}`;
  const answer = await service.request('POST', path, { admin: true });
  if (!answer.body.cleared) throw new Error(`not cleared: ${answer.text}`);
  await service.settle();
}
