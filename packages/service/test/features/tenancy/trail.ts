import { everyPage } from '#harness/everyPage.js';
import type { TestService } from '#harness/service.js';

/** An entry of the audit trail in answers. */
export interface Entry {
  id: string;
  action: string;
  at: string;
  actor: string;
  target: string | null;
  livemode: boolean;
  details: Record<string, unknown> | null;
}

/** A platform with its first two keys. */
export interface OwnPlatform {
  id: string;
  live: { id: string; key: string };
  test: { id: string; key: string };
}

/** A new platform, so that its trail has no other entries. */
export async function addedPlatform(service: TestService, name = 'Own trail'): Promise<OwnPlatform> {
  const body = { name, plan: 'enterprise' };
  const answer = await service.request('POST', '/admin/platforms', { admin: true, body });
  return { id: answer.body.platform.id, ...answer.body.keys };
}

/** The complete trail of a key's platform and mode, page by page. */
export function trailOf(service: TestService, key: string, query = ''): Promise<Entry[]> {
  return everyPage(service, '/activity', 'activity', { key, query });
}
