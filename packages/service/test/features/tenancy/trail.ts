import type { TestService } from '../../harness/service.js';

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
export async function trailOf(service: TestService, key: string, query = ''): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor = ''; ; ) {
    const answer = await service.request('GET', `/activity?limit=100${query}${cursor}`, { key });
    if (answer.status !== 200) throw new Error(`the trail answered ${answer.status}: ${answer.text}`);
    entries.push(...answer.body.activity);
    if (answer.body.nextCursor === null) return entries;
    cursor = `&cursor=${answer.body.nextCursor}`;
  }
}
