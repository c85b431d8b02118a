import type { FastifyBaseLogger } from 'fastify';
import { assertNever } from '../../../domain/errors.js';
import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import { lowestIdAt } from '../../../kit/ids.js';
import type { OutboundFetch } from '../../../kit/outboundFetch.js';
import type { Vault } from '../../../kit/vault.js';
import type { ChannelAdapter, ClaimedItem } from '../../../outbox/channelAdapter.js';
import { dropUnclaimed, findActiveChannels, noteSends, type StoredChannel } from './channelAdapterStore.js';
import type { ChannelType } from './channelTarget.js';
import { TARGET_CONTEXT } from './deps.js';
import { digestOf, STALE_AFTER_MS } from './digest.js';
import { emailMessage } from './emailMessage.js';
import type { Mailer } from './mailer.js';
import type { SendResult } from './sendResult.js';
import { sendToSlack } from './slackSender.js';

interface ChannelAdapterDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  vault: Vault;
  outbound: Pick<OutboundFetch, 'post'>;
  /** null: the operator has set up no mail server. */
  mailer: Mailer | null;
  baseUrl: string;
}

/** A channel to send to. */
export interface Channel {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: ChannelType;
  /** null: it was sealed under another DATA_KEY. */
  readonly address: string | null;
}

/**
 * Tells channels what happened: one attempt, and then it is done with (RULES N5). What has come together is one
 * message, at most one a second.
 */
export function createChannelAdapter(deps: ChannelAdapterDeps): ChannelAdapter<Channel, SendResult> {
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
      const { result, leftOut } = await tell(deps, channel, items, signal);
      const outcome = result.isSent ? 'sent' : signal.aborted ? 'interrupted' : 'failed';
      const line = {
        channelId: channel.id,
        type: channel.type,
        count: items.length,
        leftOut,
        result: outcome,
        durationMs: Math.round(performance.now() - startMs),
        ...(result.isSent ? {} : { reason: result.reason, code: result.code }),
      };
      if (outcome === 'failed') log.warn(line, 'a notification was not taken');
      else log.info(line, `a notification was ${outcome}`);
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

function opened(vault: Vault, { id, livemode, type, sealedTarget }: StoredChannel): Channel {
  try {
    return { id, livemode, type, address: vault.open(sealedTarget, TARGET_CONTEXT) };
  } catch {
    // One unreadable channel must not keep the others from being served.
    return { id, livemode, type, address: null };
  }
}

async function tell(
  deps: ChannelAdapterDeps,
  channel: Channel,
  items: readonly ClaimedItem[],
  signal: AbortSignal,
): Promise<{ result: SendResult; leftOut: number }> {
  const since = new Date(deps.clock.now().getTime() - STALE_AFTER_MS);
  const fresh = inOrder(items).filter((item) => item.envelopeCreatedAt >= since);
  const waiting = fresh.length === 0 ? await dropStale(deps, channel.id, since, signal) : 0;
  const leftOut = items.length - fresh.length + waiting;
  return { result: await sendDigest(deps, channel, items, fresh, leftOut, signal), leftOut };
}

/** Ids of envelopes are in the order of time. */
function inOrder(items: readonly ClaimedItem[]): ClaimedItem[] {
  return items.toSorted((left, right) => (left.envelopeId < right.envelopeId ? -1 : 1));
}

const DROPPED_AT_ONCE = 10_000;
/** Within the time that a claim holds, also on the embedded database (7 s for these hundred thousand). */
const MAX_SLICES = 10;

/**
 * Nothing but stale news at the head of the line may mean that there is more of it behind: it goes now, in one sweep. Told of
 * fifty at a time, the line of a busy platform would never get shorter.
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
      const count = await db.transaction((tx) =>
        dropUnclaimed(tx, channelId, lowestIdAt(since), DROPPED_AT_ONCE),
      );
      dropped += count;
      if (count < DROPPED_AT_ONCE) break;
    }
  } catch (err) {
    log.warn({ err, channelId }, 'stale notifications could not be dropped');
  }
  return dropped;
}

function sendDigest(
  { outbound, mailer, baseUrl }: ChannelAdapterDeps,
  { id, type, address, livemode }: Channel,
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
    'The target can no longer be read, since the service was given another DATA_KEY. Add the channel anew.',
  code: 'sealed',
};

const NO_MAILER: SendResult = {
  isSent: false,
  reason: 'The service has no mail server any more: its operator has to set SMTP_URL.',
  code: 'no_mailer',
};
