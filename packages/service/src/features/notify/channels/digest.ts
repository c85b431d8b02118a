import type { ClaimedItem } from '../../../outbox/channelAdapter.js';
import { envelopeText } from './envelopeText.js';

/** What one message tells. */
export interface Digest {
  /** One line, for a subject or a heading. */
  readonly title: string;
  /** A sentence for each thing that is told, oldest first. */
  readonly sentences: readonly string[];
  /** The envelopes that these are about, as text. */
  readonly bodies: readonly string[];
  /** One line on what is not told one by one; null: all of it is. */
  readonly leftOut: string | null;
}

/** News that is older is not told one by one: after an outage a channel is for what happens now. */
export const STALE_AFTER_MS = 60 * 60 * 1000;

/**
 * @param fresh what is told.
 * @param leftOut how many older ones are not.
 */
export function digestOf(fresh: readonly ClaimedItem[], leftOut: number, livemode: boolean): Digest {
  const bodies = fresh.map(({ body }) => body);
  const sentences = bodies.map(envelopeText);
  const [only] = sentences;
  const isOne = sentences.length === 1 && leftOut === 0 && only !== undefined;
  const mark = livemode ? '' : '[test] ';
  return {
    title: isOne ? only : mark + headingOf(sentences.length, leftOut),
    sentences,
    bodies,
    leftOut: leftOut === 0 ? null : sentenceOfLeftOut(leftOut),
  };
}

function headingOf(emitted: number, leftOut: number): string {
  if (emitted === 0) return `${plural(leftOut)} left out`;
  return leftOut === 0 ? plural(emitted) : `${plural(emitted)}, and ${leftOut} older left out`;
}

function sentenceOfLeftOut(count: number): string {
  return `${plural(count)} had waited for more than an hour and ${count === 1 ? 'is' : 'are'} not listed.`;
}

function plural(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'notification' : 'notifications'}`;
}
