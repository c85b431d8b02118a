import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { ChannelType } from './channelTarget.js';

/** A channel as it is kept. */
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

/** How the last message of a channel fared. */
export interface ChannelNote {
  readonly channelId: string;
  readonly at: Date;
  /** null: it was taken. */
  readonly error: string | null;
}

/** Each channel once; locked in the order of ids, as every process does. */
export async function noteSends(tx: Tx, notes: readonly ChannelNote[]): Promise<void> {
  const sorted = [...notes].sort((left, right) => (left.channelId < right.channelId ? -1 : 1));
  await tx.execute(
    `with noted as (
       select * from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as n (channel_id, at, error)
     ), held as (
       select channel_id from notification_channel where channel_id in (select channel_id from noted)
       order by channel_id for update
     )
     update notification_channel c
     set last_error = n.error, last_sent_at = case when n.error is null then n.at else c.last_sent_at end
     from held join noted n using (channel_id) where c.channel_id = held.channel_id`,
    [sorted.map((note) => note.channelId), sorted.map((note) => note.at), sorted.map((note) => note.error)],
  );
}

/**
 * Takes what nobody has claimed and whose envelope is older out of a channel's line, `limit` rows at most. Ids of envelopes are
 * in the order of time, so the lane's own key finds it. Answers how many there were.
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
