import { type Client, createClient } from '@reliability/client';
import { CommandError } from '../commandError.js';
import { followImport } from '../import/followImport.js';
import type { PlatformPlan } from './platforms.js';

/** A platform of the demo with an API key. */
export interface DemoPlatform {
  name: string;
  key: string;
  client: Client;
  /**
   * Calls POST /imports and waits until the import ends. Returns the number of new events.
   * @param advance called with the number of rows processed since the last call.
   */
  importFile(file: { csv: string; mapping: object }, advance: (rows: number) => void): Promise<number>;
  /** The event count of each subject's score. */
  countedEvents(): Promise<Map<string, number>>;
}

/** Finds the platform by name or creates it, with the admin secret. */
export async function joinPlatform(
  url: string,
  adminSecret: string,
  plan: PlatformPlan,
): Promise<DemoPlatform> {
  const operator = createClient({ baseUrl: url, adminSecret });
  const key = await keyOf(operator, plan);
  const client = createClient({ baseUrl: url, key });
  return {
    name: plan.name,
    key,
    client,
    async importFile(file, advance) {
      const sent = await client.createImport(file as Parameters<typeof client.createImport>[0]);
      const { id, status, error, totalRows, createdCount, failedCount } = await followImport(
        client,
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
    async countedEvents() {
      const counts = new Map<string, number>();
      const users = client.listUsers.each({ sort: 'externalId', limit: 1000 });
      for await (const { externalId, eventCount } of users) counts.set(externalId, eventCount);
      return counts;
    },
  };
}

/** The service returns a key only once, so each later run creates a new one that expires soon. */
async function keyOf(operator: Client, { name, trustTier }: PlatformPlan): Promise<string> {
  for await (const known of operator.adminListPlatforms.each({ limit: 100 })) {
    if (known.name === name) {
      return (await operator.adminCreateKey(known.id, { label: 'demo', expiresInDays: 30 })).key;
    }
  }
  const made = await operator.adminCreatePlatform({ name, trustTier, plan: 'enterprise' });
  return made.keys.live.key;
}
