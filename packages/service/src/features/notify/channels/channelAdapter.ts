import { assertNever } from '#domain/errors.js';
import type { Vault } from '#kit/crypto.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import { lowestIdAt } from '#kit/ids.js';
import type { ChannelAdapter, ClaimedItem } from '#outbox/channelAdapter.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type ChannelType, TARGET_CONTEXT } from './channelTarget.js';
import { digestOf, STALE_AFTER_MS } from './digest.js';
import { emailMessage, type Mailer, type SendResult, sendToSlack } from './senders.js';

type ChannelAdapterDeps = Pick<ServiceDeps, 'db' | 'clock' | 'log' | 'vault'> & {
  outbound: Pick<ServiceDeps['outbound'], 'post'>;
  /** null: the operator has configured no mail server. */
  mailer: Mailer | null;
  baseUrl: string;
};

interface OpenedChannel {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: ChannelType;
  /** null: it was sealed under another DATA_KEY. */
  readonly address: string | null;
}

/**
 * Sends notifications to channels, one attempt each (RULES N5). A channel gets at most one message
 * a second, which combines what has arrived.
 */
export function createChannelAdapter(deps: ChannelAdapterDeps): ChannelAdapter<OpenedChannel, SendResult> {
  const { vault, log } = deps;
  return {
    kind: 'channel',
    itemsPerSend: MAX_ITEMS,
    maxSendsPerTarget: 1,
    minIntervalMs: 1000,

    async load(db, targetIds) {
      const channels = await findActiveChannels(db, targetIds);
      return new Map(channels.map((channel) => [channel.id, opened(vault, channel)]));
    },

    async send(channel, items, signal) {
      const startMs = performance.now();
      const { result, leftOut } = await sendFresh(deps, channel, items, signal);
      const outcome = result.isSent ? 'sent' : signal.aborted ? 'interrupted' : 'failed';
      const entry = {
        channelId: channel.id,
        type: channel.type,
        count: items.length,
        leftOut,
        result: outcome,
        durationMs: Math.round(performance.now() - startMs),
        ...(result.isSent ? {} : { reason: result.reason, code: result.code }),
      };
      if (outcome === 'failed') log.warn(entry, 'a notification was not accepted');
      else log.info(entry, `a notification was ${outcome}`);
      return result;
    },

    isSuccess: (result) => result.isSent,

    async settle(tx, sends) {
      const last = new Map(sends.map((send) => [send.target.id, send]));
      const notes = [...last.values()].map(({ target, outcome, at }) => {
        return { channelId: target.id, at, error: outcome.isSent ? null : outcome.reason };
      });
      await noteSends(tx, notes);
      return sends.flatMap(({ items }) =>
        items.map(({ targetId, envelopeId }) => ({ targetId, envelopeId, retryAt: null })),
      );
    },
  };
}

const MAX_ITEMS = 50;

function opened(vault: Vault, { id, livemode, type, sealedTarget }: StoredChannel): OpenedChannel {
  try {
    return { id, livemode, type, address: vault.open(sealedTarget, TARGET_CONTEXT) };
  } catch {
    // One unreadable channel must not block the others.
    return { id, livemode, type, address: null };
  }
}

async function sendFresh(
  deps: ChannelAdapterDeps,
  channel: OpenedChannel,
  items: readonly ClaimedItem[],
  signal: AbortSignal,
): Promise<{ result: SendResult; leftOut: number }> {
  const since = new Date(deps.clock.now().getTime() - STALE_AFTER_MS);
  const fresh = inOrder(items).filter((item) => item.envelopeCreatedAt >= since);
  const waiting = fresh.length === 0 ? await dropStale(deps, channel.id, since, signal) : 0;
  const leftOut = items.length - fresh.length + waiting;
  return { result: await sendDigest(deps, channel, items, fresh, leftOut, signal), leftOut };
}

/** Envelope ids are in the order of time. */
function inOrder(items: readonly ClaimedItem[]): ClaimedItem[] {
  return items.toSorted((left, right) => (left.envelopeId < right.envelopeId ? -1 : 1));
}

const DROP_SLICE = 10_000;
/**
 * A claim lasts longer than this many slices, also on the embedded database (7 s for 100 000 rows).
 */
const MAX_SLICES = 10;

/**
 * If all claimed items are stale, more may follow in the queue, and these are dropped now. Dropping
 * them with each claim of fifty would never empty the queue of a busy platform.
 */
async function dropStale(
  { db, log }: ChannelAdapterDeps,
  channelId: string,
  since: Date,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  try {
    for (let slice = 0; slice < MAX_SLICES && !signal.aborted; slice += 1) {
      const count = await db.transaction((tx) => dropUnclaimed(tx, channelId, lowestIdAt(since), DROP_SLICE));
      dropped += count;
      if (count < DROP_SLICE) break;
    }
  } catch (err) {
    log.warn({ err, channelId }, 'stale notifications could not be dropped');
  }
  return dropped;
}

function sendDigest(
  { outbound, mailer, baseUrl }: ChannelAdapterDeps,
  { id, type, address, livemode }: OpenedChannel,
  items: readonly ClaimedItem[],
  fresh: readonly ClaimedItem[],
  leftOut: number,
  signal: AbortSignal,
): Promise<SendResult> | SendResult {
  if (address === null) return UNREADABLE;
  const digest = digestOf(fresh, leftOut, livemode);
  switch (type) {
    case 'slack':
      return sendToSlack(outbound, address, digest, signal);
    case 'email': {
      if (mailer === null) return NO_MAILER;
      const envelopeIds = inOrder(items).map(({ envelopeId }) => envelopeId);
      return mailer.send(emailMessage(digest, { channelId: id, to: address, envelopeIds, baseUrl }), signal);
    }
    default:
      return assertNever(type);
  }
}

const UNREADABLE: SendResult = {
  isSent: false,
  reason:
    'The target can no longer be decrypted, since DATA_KEY was replaced. Delete this channel and add it again.',
  code: 'sealed',
};

const NO_MAILER: SendResult = {
  isSent: false,
  reason: 'This installation has no mail server any more. Its operator has to set SMTP_URL.',
  code: 'no_mailer',
};

interface StoredChannel {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: ChannelType;
  readonly sealedTarget: Buffer;
}

function findActiveChannels(db: Queryable, ids: readonly string[]): Promise<StoredChannel[]> {
  return db.query<StoredChannel>(
    `select channel_id as id, livemode, type, sealed_target from notification_channel
     where channel_id = any($1::uuid[]) and is_active`,
    [ids],
  );
}

/** The result of the last message to a channel. */
interface ChannelNote {
  readonly channelId: string;
  readonly at: Date;
  /** null: it was accepted. */
  readonly error: string | null;
}

/**
 * @param notes one per channel. Locks in the order of ids, as every process does, against
 * deadlocks.
 */
async function noteSends(tx: Tx, notes: readonly ChannelNote[]): Promise<void> {
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
function dropUnclaimed(tx: Tx, channelId: string, belowId: string, limit: number): Promise<number> {
  return tx.execute(
    `delete from outbox_queue where target_id = $1 and envelope_id in (
       select envelope_id from outbox_queue where target_id = $1 and envelope_id < $2 and claim is null
       order by envelope_id limit $3 for update skip locked
     )`,
    [channelId, belowId, limit],
  );
}
