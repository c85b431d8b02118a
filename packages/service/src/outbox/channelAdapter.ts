import type { EnvelopeType } from '../domain/envelopes/catalogue.js';
import type { Queryable, Tx } from '../kit/db/database.js';

export type TargetKind = 'webhook' | 'channel';

/** A pending delivery that this process has claimed. */
export interface ClaimedItem {
  readonly targetId: string;
  readonly platformId: string;
  readonly envelopeId: string;
  readonly type: EnvelopeType;
  /** The very text to send. */
  readonly body: string;
  readonly envelopeCreatedAt: Date;
  /** Number of the attempt that is to be made, from 1. */
  readonly attempt: number;
}

/** A send that has ended, well or not. */
export interface EndedSend<Target, Outcome> {
  readonly target: Target;
  readonly items: readonly ClaimedItem[];
  readonly outcome: Outcome;
  /** When it began. */
  readonly at: Date;
}

/** What becomes of an item after a send. */
export interface Verdict {
  readonly targetId: string;
  readonly envelopeId: string;
  /** When it is tried again; null: done with. */
  readonly retryAt: Date | null;
}

/** How one kind of target is served. Target: what `load` knows of one (address, secrets…). */
export interface ChannelAdapter<Target, Outcome> {
  readonly kind: TargetKind;
  /** How many items of a target travel in one send. */
  readonly itemsPerSend: number;
  /** Sends under way at once for one target. */
  readonly maxSendsPerTarget: number;
  /** Between the starts of two sends to one target. */
  readonly minIntervalMs: number;
  /** Targets that may be sent to. Items of a target that is missing (deleted, inactive) are dropped. */
  load(db: Queryable, targetIds: readonly string[]): Promise<Map<string, Target>>;
  /** Sends; never throws. On `signal` it ends at once: nothing but a success counts then. */
  send(target: Target, items: readonly ClaimedItem[], signal: AbortSignal): Promise<Outcome>;
  isSuccess(outcome: Outcome): boolean;
  /**
   * In the transaction that settles the queue rows: writes the log, changes the state of targets, and says for each item when
   * it is tried again. May be run again with the same sends: it must keep nothing outside of the transaction.
   */
  settle(tx: Tx, sends: readonly EndedSend<Target, Outcome>[]): Promise<readonly Verdict[]>;
}
