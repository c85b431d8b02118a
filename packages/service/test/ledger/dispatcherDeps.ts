import { randomUUID } from 'node:crypto';
import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import type { ChannelAdapter, ClaimedItem, TargetKind } from '#outbox/channelAdapter.js';
import { createDispatcher, type Dispatcher } from '#outbox/dispatcher.js';
import { log, reporter } from './deps.js';

/** The id of a target, made from a number. */
export const target = (number: number): string =>
  `0199a3c2-0000-7000-8000-${String(number).padStart(12, '0')}`;

interface PendingOptions {
  kind?: TargetKind;
  dueAt?: Date;
  /** False: the row refers to a missing envelope, as after a reset. */
  hasEnvelope?: boolean;
}

const ids = createIdSource();

/** Queues `count` envelopes for a target. Returns their ids in due order. */
export async function enqueue(
  db: Database,
  targetId: string,
  count: number,
  { kind = 'webhook', dueAt = new Date(), hasEnvelope = true }: PendingOptions = {},
): Promise<string[]> {
  const made = Array.from({ length: count }, () => ids.at(dueAt));
  if (hasEnvelope) {
    await db.execute(
      `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
       select $1, id, true, 'score.updated', '{"id":"' || id || '"}', $3 from unnest($2::uuid[]) as id`,
      [reporter.platformId, made, dueAt],
    );
  }
  await db.execute(
    `insert into outbox_queue (target_id, envelope_id, platform_id, kind, attempt, due_at)
     select $1, id, $2, $3, 1, $4 from unnest($5::uuid[]) as id`,
    [targetId, reporter.platformId, kind, dueAt, made],
  );
  return made;
}

export interface QueueRow {
  targetId: string;
  envelopeId: string;
  attempt: number;
  dueAt: Date;
  claim: string | null;
}

export function pending(db: Database): Promise<QueueRow[]> {
  return db.query<QueueRow>(
    'select target_id, envelope_id, attempt, due_at, claim from outbox_queue order by target_id, due_at, envelope_id',
  );
}

/** One call of the adapter's `send`. */
export interface Sent {
  readonly targetId: string;
  readonly items: readonly ClaimedItem[];
}

interface ChannelAdapterOptions
  extends Partial<Pick<ChannelAdapter<string, boolean>, 'kind' | 'itemsPerSend' | 'minIntervalMs'>> {
  maxSendsPerTarget?: number;
  /** Whether the send succeeded. Default: true. */
  send?(sent: Sent, signal: AbortSignal): Promise<boolean> | boolean;
  /** When a failed item is retried. Default: never. */
  retryAt?(item: ClaimedItem): Date | null;
  isThere?(targetId: string): boolean;
  onSettle?(): void;
}

/** A channel adapter that sends nothing and records the calls. */
export function adapterOf(
  options: ChannelAdapterOptions = {},
): ChannelAdapter<unknown, unknown> & { sent: Sent[] } {
  const sent: Sent[] = [];
  const adapter: ChannelAdapter<string, boolean> = {
    kind: options.kind ?? 'webhook',
    itemsPerSend: options.itemsPerSend ?? 1,
    maxSendsPerTarget: options.maxSendsPerTarget ?? 32,
    minIntervalMs: options.minIntervalMs ?? 0,
    load: async (_db, targetIds) =>
      new Map(targetIds.filter((id) => options.isThere?.(id) ?? true).map((id) => [id, id])),
    async send(targetId, items, signal) {
      sent.push({ targetId, items });
      return (await options.send?.({ targetId, items }, signal)) ?? true;
    },
    isSuccess: (outcome) => outcome,
    async settle(_tx, sends) {
      options.onSettle?.();
      return sends.flatMap(({ items, outcome }) =>
        items.map((item) => ({
          targetId: item.targetId,
          envelopeId: item.envelopeId,
          retryAt: outcome ? null : (options.retryAt?.(item) ?? null),
        })),
      );
    },
  };
  return { ...(adapter as ChannelAdapter<unknown, unknown>), sent };
}

/** A dispatcher that is not started. */
export function dispatcherOn(
  db: Database,
  adapters: readonly ChannelAdapter<unknown, unknown>[],
  { leaseMs = 30_000, pollMs = 500 } = {},
): Dispatcher {
  return createDispatcher({ db, clock: systemClock, log, adapters, leaseMs, pollMs });
}

/** Claims every row until `until`, as a process that died after its claim. */
export async function claimAndDie(db: Database, until: Date): Promise<void> {
  await db.execute('update outbox_queue set claim = $1, due_at = $2', [randomUUID(), until]);
}
