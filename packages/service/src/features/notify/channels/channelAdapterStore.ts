import type { Queryable, Tx } from '../../../kit/db/database.js';
import { rowsOf, sql } from '../../../kit/db/rows.js';
import type { ChannelType } from './channelTarget.js';

export interface StoredChannel {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: ChannelType;
  readonly sealedTarget: Buffer;
}

export function findActiveChannels(db: Queryable, ids: readonly string[]): Promise<StoredChannel[]> {
  return db.query<StoredChannel>(
    `select channel_id as id, livemode, type, sealed_target from notification_channel
     where channel_id = any($1::uuid[]) and is_active`,
    [ids],
  );
}

/** The result of the last message to a channel. */
export interface ChannelNote {
  readonly channelId: string;
  readonly at: Date;
  /** null: it was accepted. */
  readonly error: string | null;
}

/**
 * @param notes one per channel. Locks in the order of ids, as every process does, against
 * deadlocks.
 */
export async function noteSends(tx: Tx, notes: readonly ChannelNote[]): Promise<void> {
  const sorted = [...notes].sort((left, right) => (left.channelId < right.channelId ? -1 : 1));
  await sql`with noted as (
      select * from ${sent.as('sent', sorted)}
    ), locked as (
      select channel_id from notification_channel where channel_id in (select channel_id from noted)
      order by channel_id for update
    )
    update notification_channel c
    set last_error = n.error, last_sent_at = case when n.error is null then n.at else c.last_sent_at end
    from locked join noted n using (channel_id) where c.channel_id = locked.channel_id`.execute(tx);
}

const sent = rowsOf<ChannelNote>({ uuid: ['channelId'], timestamptz: ['at'], text: ['error'] });

/**
 * Deletes unclaimed queue rows of a channel with older envelopes, at most `limit`, and returns how
 * many. Envelope ids are in the order of time, so the primary key of the queue finds them.
 */
export function dropUnclaimed(tx: Tx, channelId: string, belowId: string, limit: number): Promise<number> {
  return tx.execute(
    `delete from outbox_queue where target_id = $1 and envelope_id in (
       select envelope_id from outbox_queue where target_id = $1 and envelope_id < $2 and claim is null
       order by envelope_id limit $3 for update skip locked
     )`,
    [channelId, belowId, limit],
  );
}
