import { z } from 'zod';
import { type ApiClient, createApiClient } from '../apiClient.js';
import { CommandError } from '../commandError.js';
import { followImport, Import } from '../import/followImport.js';
import type { PlatformPlan } from './platforms.js';

/** A platform of the demo with an API key. */
export interface DemoPlatform {
  name: string;
  key: string;
  /**
   * Calls POST /imports and waits until the import ends. Returns the number of new events.
   * @param advance called with the number of rows processed since the last call.
   */
  importFile(file: { csv: string; mapping: object }, advance: (rows: number) => void): Promise<number>;
  /** The event count of each subject's score. */
  countedEvents(): Promise<Map<string, number>>;
  score(userId: string): Promise<z.output<typeof ScoreAnswer>>;
  riskLevel(userId: string): Promise<string>;
}

/** Finds the platform by name or creates it, with the admin secret. */
export async function joinPlatform(
  url: string,
  adminSecret: string,
  plan: PlatformPlan,
): Promise<DemoPlatform> {
  const operator = createApiClient({
    url,
    credential: { 'X-Admin-Secret': adminSecret },
    unauthorized: 'The admin secret is wrong. Give it with --admin-secret or ADMIN_SECRET.',
  });
  const known = await findPlatform(operator, plan.name);
  const key = known === null ? await createPlatform(operator, plan) : await mintKey(operator, known);
  const call = createApiClient({
    url,
    credential: { Authorization: `Bearer ${key}` },
    unauthorized: `The service does not accept the key that it issued for "${plan.name}".`,
  });
  return {
    name: plan.name,
    key,
    async importFile(file, advance) {
      const sent = (await call('POST', '/imports', Import, { body: file })).body;
      const { id, status, error, totalRows, createdCount, failedCount } = await followImport(
        call,
        sent,
        advance,
      );
      if (status === 'FAILED') throw new CommandError(`Import ${id} failed: ${error}`);
      if (failedCount > 0)
        throw new CommandError(
          `${failedCount} of ${totalRows} rows failed. GET /imports/${id}/errors has the reasons.`,
        );
      return createdCount;
    },
    countedEvents: () => countedEvents(call),
    async score(userId) {
      return (await call('GET', `/users/${encodeURIComponent(userId)}/score`, ScoreAnswer)).body;
    },
    async riskLevel(userId) {
      return (await call('GET', `/users/${encodeURIComponent(userId)}/risk`, RiskAnswer)).body.level;
    },
  };
}

const PlatformsPage = z.object({
  platforms: z.array(z.object({ id: z.string(), name: z.string() })),
  nextCursor: z.string().nullable(),
});
const Created = z.object({ keys: z.object({ live: z.object({ key: z.string() }) }) });
const Minted = z.object({ key: z.string() });
const ScoreAnswer = z.object({ finalScore: z.number(), scoreBand: z.string(), confidence: z.number() });
const RiskAnswer = z.object({ level: z.string() });
const BookPage = z.object({
  users: z.array(z.object({ externalId: z.string(), eventCount: z.number() })),
  nextCursor: z.string().nullable(),
});

async function findPlatform(operator: ApiClient, name: string): Promise<string | null> {
  for (let cursor = ''; ; ) {
    const { body: page } = await operator('GET', `/admin/platforms?limit=100${cursor}`, PlatformsPage);
    const found = page.platforms.find((platform) => platform.name === name);
    if (found || page.nextCursor === null) return found?.id ?? null;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

async function createPlatform(operator: ApiClient, { name, trustTier }: PlatformPlan): Promise<string> {
  const body = { name, trustTier, plan: 'enterprise' };
  return (await operator('POST', '/admin/platforms', Created, { body })).body.keys.live.key;
}

/** The service returns a key only once, so each later run creates a new one that expires soon. */
async function mintKey(operator: ApiClient, platformId: string): Promise<string> {
  const body = { label: 'demo', expiresInDays: 30 };
  return (await operator('POST', `/admin/platforms/${platformId}/keys`, Minted, { body })).body.key;
}

async function countedEvents(call: ApiClient): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let cursor = ''; ; ) {
    const { body: page } = await call('GET', `/users?sort=externalId&limit=1000${cursor}`, BookPage);
    for (const { externalId, eventCount } of page.users) counts.set(externalId, eventCount);
    if (page.nextCursor === null) return counts;
    cursor = `&cursor=${page.nextCursor}`;
  }
}
