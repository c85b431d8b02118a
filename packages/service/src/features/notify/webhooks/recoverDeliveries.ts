import type { z } from 'zod';
import type { EnvelopeType } from '#domain/envelopes/catalogue.js';
import { fail, failValidation } from '#domain/errors.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Tx } from '#kit/db/database.js';
import type { TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '#kit/http/route.js';
import { lowestIdAt } from '#kit/ids.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { RecoverBody, Recovered } from './deliveryLog.js';
import { PAYLOAD_DAYS } from './deliveryStore.js';
import { webhooks } from './webhookStore.js';

/** Limits of one call: enough for most outages, and done within seconds. */
const MAX_QUEUED = 50_000;
const MAX_SCANNED = 100_000;

/**
 * POST /webhooks/{id}/recover: re-queues what the endpoint never accepted, because every attempt
 * failed or the endpoint was inactive. Envelope ids stay the same, so a receiver recognises what it
 * has.
 */
export async function recoverDeliveries(
  { clock, withIdempotency, wakes }: Pick<ServiceDeps, 'clock' | 'withIdempotency' | 'wakes'>,
  owner: Owner,
  webhookId: string,
  { since }: z.output<typeof RecoverBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<202, z.output<typeof Recovered>>> {
  const now = clock.now();
  if (since > now) {
    failValidation([{ path: 'since', code: 'invalid_value', message: 'must not be in the future' }]);
  }
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    const webhook = await webhooks.read(tx, owner, webhookId);
    await lockRecovery(tx, webhook.id);
    if (!webhook.isActive) fail('CONFLICT', { message: INACTIVE });
    const { queued, stoppedAt, hasMore } = await queueMissed(tx, owner, {
      webhookId: webhook.id,
      types: webhook.events,
      since: latest(since, webhook.createdAt, new Date(now.getTime() - PAYLOAD_DAYS * DAY_MS)),
      now,
      maxScanned: MAX_SCANNED,
      maxQueued: MAX_QUEUED,
    });
    const body = { recovered: queued, hasMore, nextSince: hasMore ? stoppedAt : null };
    return { status: 202 as const, body };
  });
  wakes.raise('deliveries');
  return answer;
}

const INACTIVE = 'This endpoint is inactive. Set `isActive` to true, then call this again.';

function latest(...dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())));
}

interface ToRecover {
  readonly webhookId: string;
  readonly types: readonly EnvelopeType[];
  readonly since: Date;
  readonly now: Date;
  /** Limits of one call: envelopes scanned, and envelopes queued. */
  readonly maxScanned: number;
  readonly maxQueued: number;
}

interface Recovery {
  readonly queued: number;
  /** When the last scanned envelope was created; null: there was none. */
  readonly stoppedAt: Date | null;
  /** There are later envelopes. */
  readonly hasMore: boolean;
}

/**
 * Recoveries of one endpoint run one at a time. Locking its row would also block the dispatcher,
 * which notes failures there.
 */
async function lockRecovery(tx: Tx, webhookId: string): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`recovery ${webhookId}`]);
}

/**
 * Queues, oldest first, the envelopes of the owner since `since` that the endpoint has never
 * accepted. Leaves out what is queued already and test deliveries.
 */
export async function queueMissed(
  tx: Tx,
  { platformId, livemode }: Pick<Owner, 'platformId' | 'livemode'>,
  { webhookId, types, since, now, maxScanned, maxQueued }: ToRecover,
): Promise<Recovery> {
  // The planner cannot estimate the rows of `scanned`. Planned for few, as a nested loop through
  // all deliveries, the statement exceeded the time limit at a million deliveries. With hash joins
  // alone it takes one or two seconds.
  await tx.execute('set local enable_nestloop = off');
  const [row] = await tx.query<Recovery>(QUEUE_MISSED, [
    platformId,
    livemode,
    webhookId,
    types,
    lowestIdAt(since),
    // No attempt is older than its envelope. The clocks of two processes differ by less than this.
    lowestIdAt(new Date(since.getTime() - CLOCK_SLACK_MS)),
    maxScanned,
    maxQueued,
    now,
  ]);
  await tx.execute('set local enable_nestloop = on');
  return row ?? { queued: 0, stoppedAt: null, hasMore: false };
}

const CLOCK_SLACK_MS = 60 * 60 * 1000;

const QUEUE_MISSED = `
with scanned as materialized (
  select envelope_id, livemode, type, only_target, created_at from envelope
  where platform_id = $1 and envelope_id >= $5 order by envelope_id limit $7
), due as materialized (
  select envelope_id from scanned e
  where e.livemode = $2 and e.type = any($4::text[]) and e.only_target is null
    and not exists (
      select 1 from delivery d
      where d.platform_id = $1 and d.webhook_id = $3 and d.envelope_id = e.envelope_id and d.delivery_id >= $6
        and d.status = 'succeeded'
    )
    and not exists (select 1 from outbox_queue q where q.target_id = $3 and q.envelope_id = e.envelope_id)
  order by envelope_id limit $8
), queued as (
  insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
  select 'webhook', $3::uuid, envelope_id, $1::uuid, $9::timestamptz from due
  on conflict do nothing
  returning envelope_id
), stopped as (
  select envelope_id, created_at from scanned
  where (select count(*) from due) < $8
    or envelope_id <= (select envelope_id from due order by envelope_id desc limit 1)
  order by envelope_id desc limit 1
)
select (select count(*) from queued) as queued, created_at as stopped_at,
  exists (select 1 from envelope e where e.platform_id = $1 and e.envelope_id > stopped.envelope_id) as has_more
from stopped`;
