import { z } from 'zod';
import { apiClient, type Call } from './apiClient.js';
import type { PlatformPlan } from './platforms.js';

/** A platform of the demo, with a key to write and read with. */
export interface DemoPlatform {
  name: string;
  key: string;
  /** POST /events/batch; answers how many of the events are new. */
  record(events: readonly object[]): Promise<number>;
  /** How many events the score of each subject counts. */
  countedEvents(): Promise<Map<string, number>>;
  score(userId: string): Promise<{ finalScore: number; scoreBand: string; confidence: number }>;
}

/** Finds the platform by its name or creates it, as the operator. */
export async function joinPlatform(
  url: string,
  adminSecret: string,
  plan: PlatformPlan,
): Promise<DemoPlatform> {
  const operator = apiClient(url, { 'X-Admin-Secret': adminSecret });
  const known = await findPlatform(operator, plan.name);
  const key = known === null ? await createPlatform(operator, plan) : await mintKey(operator, known);
  const call = apiClient(url, { Authorization: `Bearer ${key}` });
  return {
    name: plan.name,
    key,
    async record(events) {
      return (await call('POST', '/events/batch', BatchAnswer, { events })).createdCount;
    },
    countedEvents: () => countedEvents(call),
    score: (userId) => call('GET', `/users/${encodeURIComponent(userId)}/score`, ScoreAnswer),
  };
}

const PlatformsPage = z.object({
  platforms: z.array(z.object({ id: z.string(), name: z.string() })),
  nextCursor: z.string().nullable(),
});
const Created = z.object({ keys: z.object({ live: z.object({ key: z.string() }) }) });
const Minted = z.object({ key: z.string() });
const BatchAnswer = z.object({ createdCount: z.number(), failedCount: z.literal(0) });
const ScoreAnswer = z.object({ finalScore: z.number(), scoreBand: z.string(), confidence: z.number() });
const BookPage = z.object({
  users: z.array(z.object({ externalId: z.string(), eventCount: z.number() })),
  nextCursor: z.string().nullable(),
});

async function findPlatform(operator: Call, name: string): Promise<string | null> {
  for (let cursor = ''; ; ) {
    const page = await operator('GET', `/admin/platforms?limit=100${cursor}`, PlatformsPage);
    const found = page.platforms.find((platform) => platform.name === name);
    if (found || page.nextCursor === null) return found?.id ?? null;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

async function createPlatform(operator: Call, { name, trustTier }: PlatformPlan): Promise<string> {
  const body = { name, trustTier, plan: 'enterprise' };
  return (await operator('POST', '/admin/platforms', Created, body)).keys.live.key;
}

/** A key is shown once, so a later run takes a new one, which does not outlive its use for long. */
async function mintKey(operator: Call, platformId: string): Promise<string> {
  const body = { label: 'demo', expiresInDays: 30 };
  return (await operator('POST', `/admin/platforms/${platformId}/keys`, Minted, body)).key;
}

async function countedEvents(call: Call): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let cursor = ''; ; ) {
    const page = await call('GET', `/users?sort=externalId&limit=1000${cursor}`, BookPage);
    for (const { externalId, eventCount } of page.users) counts.set(externalId, eventCount);
    if (page.nextCursor === null) return counts;
    cursor = `&cursor=${page.nextCursor}`;
  }
}
