import type { EnvelopeType } from '#domain/envelopes/catalogue.js';
import type { Queryable, Tx } from '#kit/db/database.js';

export type TargetKind = 'webhook' | 'channel';

/** The key of a queue row that this process has claimed. Its result counts only while `claim` is unchanged. */
export interface ClaimKey {
  readonly targetId: string;
  readonly envelopeId: string;
  readonly claim: string;
}

/** A pending delivery that this process has claimed. */
export interface ClaimedItem extends ClaimKey {
  readonly kind: TargetKind;
  readonly platformId: string;
  readonly type: EnvelopeType;
  readonly body: string;
  readonly envelopeCreatedAt: Date;
  readonly attempt: number;
}

export interface EndedSend<Target, Outcome> {
  readonly target: Target;
  readonly items: readonly ClaimedItem[];
  readonly outcome: Outcome;
  readonly at: Date;
}

export interface Verdict {
  readonly targetId: string;
  readonly envelopeId: string;
  /** Time of the next attempt; null: delivered or given up. */
  readonly retryAt: Date | null;
}

/** Sends to one kind of target. `Target` is the result of `load`: address, secrets and so on. */
export interface ChannelAdapter<Target, Outcome> {
  readonly kind: TargetKind;
  readonly itemsPerSend: number;
  readonly maxSendsPerTarget: number;
  readonly minIntervalMs: number;
  /** The active targets. Items of missing targets (deleted, inactive) are dropped. */
  load(db: Queryable, targetIds: readonly string[]): Promise<Map<string, Target>>;
  /** Never throws. Ends at once on `signal`; then only a success counts. */
  send(target: Target, items: readonly ClaimedItem[], signal: AbortSignal): Promise<Outcome>;
  isSuccess(outcome: Outcome): boolean;
  /**
   * Writes the log and the state of targets, and decides the next attempt of each item, in the
   * transaction that updates the queue. It may run again with the same sends, so it must not keep
   * state outside the transaction.
   */
  settle(tx: Tx, sends: readonly EndedSend<Target, Outcome>[]): Promise<readonly Verdict[]>;
}
