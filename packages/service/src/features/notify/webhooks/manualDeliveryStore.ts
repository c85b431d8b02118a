import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow } from '../../../kit/db/rows.js';
import type { Owner } from '../../../kit/http/route.js';
import { lowestIdAt } from '../../../kit/ids.js';

interface TestEnvelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly body: string;
  readonly webhookId: string;
  readonly createdAt: Date;
}

/**
 * Stored like any other, so that its delivery can be replayed. `only_target` keeps it out of queues
 * and streams.
 */
export async function insertTestEnvelope(
  tx: Tx,
  { platformId, livemode }: Owner,
  { id, type, body, webhookId, createdAt }: TestEnvelope,
): Promise<void> {
  const envelope = { platformId, envelopeId: id, livemode, type, body, onlyTarget: webhookId, createdAt };
  await insertRow(tx, 'envelope', envelope);
}

interface SentEnvelope {
  readonly body: string;
  readonly createdAt: Date;
}

/** Null: the payload was deleted with age, or erased with its subject. */
export async function findEnvelope(
  db: Queryable,
  { platformId }: Owner,
  envelopeId: string,
): Promise<SentEnvelope | null> {
  const [row] = await db.query<SentEnvelope>(
    'select body, created_at from envelope where platform_id = $1 and envelope_id = $2 and body <> $3',
    [platformId, envelopeId, ''],
  );
  return row ?? null;
}

/**
 * The number of the next attempt to send the envelope to the endpoint. Locks the endpoint until the
 * transaction ends, so that two simultaneous replays get different numbers.
 * @param since no attempt is older.
 */
export async function lockNextAttempt(
  tx: Tx,
  { platformId }: Owner,
  { webhookId, envelopeId, since }: { webhookId: string; envelopeId: string; since: Date },
): Promise<number> {
  await tx.execute('select 1 from webhook where webhook_id = $1 for update', [webhookId]);
  const [row] = await tx.query<{ attempt: number | null }>(
    `select max(attempt) as attempt from delivery
     where platform_id = $1 and webhook_id = $2 and envelope_id = $3 and delivery_id >= $4`,
    [platformId, webhookId, envelopeId, lowestIdAt(since)],
  );
  return 1 + (row?.attempt ?? 0);
}

export async function removeFromQueue(tx: Tx, webhookId: string, envelopeId: string): Promise<void> {
  await tx.execute('delete from outbox_queue where target_id = $1 and envelope_id = $2', [
    webhookId,
    envelopeId,
  ]);
}
