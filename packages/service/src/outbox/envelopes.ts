import type { EnvelopeData, EnvelopeType } from '#domain/envelopes/catalogue.js';
import type { Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import type { IdSource } from '#kit/ids.js';

export type EnvelopeDraft = {
  [T in EnvelopeType]: {
    readonly type: T;
    readonly data: EnvelopeData[T];
    readonly platformId: string;
    readonly livemode: boolean;
    /** The subject it is about; null: no single subject. */
    readonly subjectId: string | null;
  };
}[EnvelopeType];

const envelopeColumns = rowsOf<EnvelopeDraft & { id: string; createdAt: Date }>(
  { uuid: ['platformId', 'subjectId'], boolean: ['livemode'], text: ['type'], timestamptz: ['createdAt'] },
  { envelopeId: ['uuid', ({ id }) => id], body: ['text', envelopeBody] },
);
const writtenColumns = rowsOf<EnvelopeDraft & { id: string }>(
  { uuid: ['platformId'], boolean: ['livemode'], text: ['type'] },
  { envelopeId: ['uuid', ({ id }) => id] },
);

/**
 * Writes envelopes and queues them for every active webhook subscribed to their type and every
 * active channel. Commits together with the change they describe. Ids and texts are fixed here, so
 * that retries and replays send the same bytes. Returns how many deliveries it queued.
 */
export async function writeEnvelopes(
  tx: Tx,
  ids: IdSource,
  now: Date,
  drafts: readonly EnvelopeDraft[],
): Promise<number> {
  if (drafts.length === 0) return 0;
  const rows = drafts.map((draft) => ({ id: ids.at(now), createdAt: now, ...draft }));
  const written = sql`with envelopes as (
       insert into envelope (${envelopeColumns.columns}) select * from ${envelopeColumns.as('draft', rows)}
     ), written as (
       select * from ${writtenColumns.as('draft', rows)}
     )
     insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
     select 'webhook', w.webhook_id, e.envelope_id, e.platform_id, ${now}::timestamptz
     from written e
     join webhook w on w.platform_id = e.platform_id and w.livemode = e.livemode and w.is_active
       and e.type = any(w.events)
     union all
     select 'channel', c.channel_id, e.envelope_id, e.platform_id, ${now}::timestamptz
     from written e
     join notification_channel c on c.platform_id = e.platform_id and c.livemode = e.livemode and c.is_active`;
  return written.execute(tx);
}

type Envelope = Pick<EnvelopeDraft, 'type' | 'livemode'> & { id: string; createdAt: Date; data: object };

export function envelopeBody({ id, type, livemode, createdAt, data }: Envelope): string {
  return JSON.stringify({ id, type, livemode, createdAt, data });
}
