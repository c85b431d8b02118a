import type { EnvelopeData, EnvelopeType } from '../domain/envelopes/catalogue.js';
import { booleans, texts, uuids } from '../kit/db/arrays.js';
import type { Tx } from '../kit/db/database.js';
import type { IdSource } from '../kit/ids.js';

/** A notification for a platform, not yet written. */
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

/**
 * Writes envelopes and queues them for every active webhook subscribed to their type and every
 * active channel. Commits together with the change they describe. Ids and texts are fixed here, so
 * that retries and replays send the same bytes.
 */
export async function writeEnvelopes(
  tx: Tx,
  ids: IdSource,
  now: Date,
  drafts: readonly EnvelopeDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const rows = drafts.map((draft) => ({ ...draft, id: ids.at(now) }));
  const columns = [
    uuids(rows, (row) => row.platformId),
    uuids(rows, (row) => row.id),
    booleans(rows, (row) => row.livemode),
    texts(rows, (row) => row.type),
  ];
  // Sent together, the statements cost one round trip.
  await Promise.all([
    tx.execute(
      `insert into envelope (platform_id, envelope_id, livemode, type, subject_id, body, created_at)
       select *, $7::timestamptz from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[], $5::uuid[], $6::text[])`,
      [
        ...columns,
        uuids(rows, (row) => row.subjectId),
        texts(rows, (row) => envelopeBody({ ...row, createdAt: now })),
        now,
      ],
    ),
    tx.execute(
      `insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
       select 'webhook', w.webhook_id, e.envelope_id, e.platform_id, $5::timestamptz
       from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[]) as e (platform_id, envelope_id, livemode, type)
       join webhook w on w.platform_id = e.platform_id and w.livemode = e.livemode and w.is_active
         and e.type = any(w.events)
       union all
       select 'channel', c.channel_id, e.envelope_id, e.platform_id, $5::timestamptz
       from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[]) as e (platform_id, envelope_id, livemode, type)
       join notification_channel c on c.platform_id = e.platform_id and c.livemode = e.livemode and c.is_active`,
      [...columns, now],
    ),
  ]);
}

interface EnvelopeDeps {
  id: string;
  type: EnvelopeType;
  livemode: boolean;
  createdAt: Date;
  data: object;
}

/** The text of an envelope, signed and sent unchanged. */
export function envelopeBody({ id, type, livemode, createdAt, data }: EnvelopeDeps): string {
  return JSON.stringify({ id, type, livemode, createdAt, data });
}
