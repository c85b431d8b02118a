import type { ClaimedItem } from '#outbox/channelAdapter.js';
import { envelopeText } from './envelopeText.js';

/** The content of one message. */
export interface Digest {
  /** One line, for a subject or a heading. */
  readonly title: string;
  /** One sentence per envelope, oldest first. */
  readonly sentences: readonly string[];
  /** The bodies of these envelopes. */
  readonly bodies: readonly string[];
  /** A sentence about the envelopes that were left out; null: there are none. */
  readonly leftOut: string | null;
}

/** Older envelopes are only counted, so that after an outage a channel shows what happens now. */
export const STALE_AFTER_MS = 60 * 60 * 1000;

/**
 * @param fresh the envelopes to list.
 * @param leftOut how many older ones are only counted.
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

function headingOf(listed: number, leftOut: number): string {
  if (listed === 0) return `${plural(leftOut)} left out`;
  return leftOut === 0 ? plural(listed) : `${plural(listed)}, and ${leftOut} older left out`;
}

function sentenceOfLeftOut(count: number): string {
  return `${plural(count)} had waited for more than an hour and ${count === 1 ? 'is' : 'are'} not listed.`;
}

function plural(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'notification' : 'notifications'}`;
}
