import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { lowestIdAt } from '../../../kit/ids.js';

interface TestEnvelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly body: string;
  readonly webhookId: string;
  readonly createdAt: Date;
}

/** Kept like any other, so that its delivery can be replayed, but for this endpoint alone: no queue and no stream has it. */
export async function insertTestEnvelope(
  tx: Tx,
  { platformId, livemode }: Pick<Owner, 'platformId' | 'livemode'>,
  { id, type, body, webhookId, createdAt }: TestEnvelope,
): Promise<void> {
  await tx.execute(
    `insert into envelope (platform_id, envelope_id, livemode, type, body, only_target, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [platformId, id, livemode, type, body, webhookId, createdAt],
  );
}

interface SentEnvelope {
  readonly body: string;
  readonly createdAt: Date;
}

/** What was sent; null: it is no longer kept. */
export async function findEnvelope(
  db: Queryable,
  { platformId }: Pick<Owner, 'platformId'>,
  envelopeId: string,
): Promise<SentEnvelope | null> {
  const [row] = await db.query<SentEnvelope>(
    'select body, created_at from envelope where platform_id = $1 and envelope_id = $2',
    [platformId, envelopeId],
  );
  return row ?? null;
}

/**
 * The highest number that an attempt to send the envelope to the endpoint has had.
 * @param since no attempt was made before.
 */
export async function lastAttempt(
  tx: Tx,
  { platformId }: Pick<Owner, 'platformId'>,
  { webhookId, envelopeId, since }: { webhookId: string; envelopeId: string; since: Date },
): Promise<number> {
  const [row] = await tx.query<{ attempt: number | null }>(
    `select max(attempt) as attempt from delivery
     where platform_id = $1 and webhook_id = $2 and envelope_id = $3 and delivery_id >= $4`,
    [platformId, webhookId, envelopeId, lowestIdAt(since)],
  );
  return row?.attempt ?? 0;
}

/** Nothing more of this envelope is sent to the endpoint. */
export async function removeFromLine(tx: Tx, webhookId: string, envelopeId: string): Promise<void> {
  await tx.execute('delete from outbox_queue where target_id = $1 and envelope_id = $2', [
    webhookId,
    envelopeId,
  ]);
}
