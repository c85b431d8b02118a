import { beforeEach } from 'vitest';
import type { Engine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import type { RequestOptions, TestAnswer, TestService } from '#harness/service.js';
import type { Clock } from '#kit/clock.js';

export const UNKNOWN_ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** A clock that tests can advance. */
export function movableClock(): Clock & { aheadMs: number } {
  const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) };
  return clock;
}

interface NewPlatform {
  platformId: string;
  live: { id: string; key: string };
  test: { id: string; key: string };
}

/** A new platform of the largest plan with its first two keys. */
export async function newPlatform(service: TestService, more: object = {}): Promise<NewPlatform> {
  const body = { name: 'Riverside Staffing', plan: 'enterprise', ...more };
  const { platform, keys } = (await service.request('POST', '/admin/platforms', { admin: true, body })).body;
  return { platformId: platform.id, live: keys.live, test: keys.test };
}

/** A service with a clock of its own and, for each test, a new platform whose live key makes keys. */
export function keySuite(engine: Engine, env: Record<string, string> = {}) {
  const clock = movableClock();
  const service = givenService(engine, { clock, env });
  const own = {} as NewPlatform;
  beforeEach(async () => {
    clock.aheadMs = 0;
    Object.assign(own, await newPlatform(service));
  });
  const minted = async (body: object = {}, key = own.live.key) => (await mint(service, key, body)).body;
  /** A key as the list shows it. */
  const listed = async (keyId: string) => {
    const { keys } = (await service.request('GET', '/platform/keys', { key: own.live.key })).body;
    return keys.find(({ id }: { id: string }) => id === keyId);
  };
  return { service, clock, own, minted, listed };
}

/** POST /platform/keys. */
export function mint(service: TestService, key: string, body?: unknown, options: RequestOptions = {}) {
  return service.request('POST', '/platform/keys', { ...options, key, body });
}

/** POST /platform/keys/{keyId}/rotate. */
export function rotate(
  service: TestService,
  key: string,
  keyId: string,
  body?: unknown,
  options: RequestOptions = {},
) {
  return service.request('POST', `/platform/keys/${keyId}/rotate`, { ...options, key, body });
}

/** DELETE /platform/keys/{keyId}. */
export function revoke(service: TestService, key: string, keyId: string) {
  return service.request('DELETE', `/platform/keys/${keyId}`, { key });
}

/** Whether a key is accepted, with any scopes. */
export async function isLetIn(service: TestService, key: string): Promise<boolean> {
  return (await service.request('GET', '/events/export?limit=1', { key })).status !== 401;
}

/** The body of an error without the fields that differ between requests. */
export function refusalOf({ status, body }: TestAnswer): object {
  const { requestId: _, ...rest } = body;
  return { status, ...rest };
}

/** The audit trail of a platform, oldest first. */
export function trailOf(service: TestService, platformId: string) {
  return service.db.query<{
    action: string;
    actor: string;
    target: string;
    livemode: boolean;
    details: unknown;
  }>(
    'select action, actor, target, livemode, details from activity where platform_id = $1 order by activity_id',
    [platformId],
  );
}
