import { expect } from 'vitest';
import type { EnvelopeType } from '#domain/envelopes/catalogue.js';
import type { TestService } from '#harness/service.js';
import { outcome, reportBatch } from '../intake/eventFixtures.js';

/** Reports `count` outcomes of one subject in one batch and waits for its score. */
export async function reported(
  service: TestService,
  key: string,
  userId: string,
  count: number,
  more: Record<string, unknown> = {},
): Promise<void> {
  const event = outcome({ userId, isVerified: true, ...more });
  const { status, body } = await reportBatch(service, Array(count).fill(event), { key });
  expect([status, body.failedCount]).toEqual([200, 0]);
  await service.settle();
}

/** The data of the envelopes of a type for a platform and mode, oldest first. */
export async function emitted(
  service: TestService,
  platformId: string,
  type: EnvelopeType,
  livemode = true,
  // biome-ignore lint/suspicious/noExplicitAny: the service checks them against their schemas as it closes
): Promise<any[]> {
  const rows = await service.db.query<{ body: string }>(
    'select body from envelope where platform_id = $1 and livemode = $2 and type = $3 order by envelope_id',
    [platformId, livemode, type],
  );
  return rows.map(({ body }) => JSON.parse(body).data);
}
