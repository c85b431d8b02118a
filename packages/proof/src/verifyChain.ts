import { concat, toBase64, toHex, utf8 } from './bytes.js';
import type { EventFact, ProvenLeaf, ScoreProof } from './readProof.js';
import { sha256 } from './sha256.js';
import { failed, passed, type Step, unchecked } from './step.js';

/**
 * Every event from position 1 to the snapshot's is here and names the one before, and the snapshot names the last. So none can be
 * left out, added or moved.
 */
export function checkCompleteness({ snapshot, events }: ScoreProof): Step {
  const { fact } = snapshot;
  if (fact?.kind !== 'snapshot')
    return failed('completeness', `The snapshot's fact is of the kind ${fact?.kind}.`);
  const { position, head, subject } = fact;
  const chain = events.slice(0, position);
  if (chain.length < position)
    return failed('completeness', `The snapshot rests on ${position} events, ${chain.length} are here.`);
  const extra = events.slice(position).find((event) => event.fact);
  if (extra)
    return failed(
      'completeness',
      `Event ${extra.fact?.eventId} is not among the ${position} that the snapshot rests on.`,
    );
  const wrong = firstWrong(chain, subject);
  if (wrong) return failed('completeness', wrong);
  const last = chain.at(-1);
  if (head !== (last ? toBase64(last.commitment) : null))
    return failed(
      'completeness',
      `The snapshot names another last event than the one at position ${position}.`,
    );
  const hidden = chain.filter((event) => !event.fact).length;
  if (hidden > 0)
    return unchecked(
      'completeness',
      `${hidden} events are commitments alone: which event each of them names as the one before cannot be seen.`,
    );
  return passed('completeness', completeText(position, events.length - position));
}

function firstWrong(chain: readonly ProvenLeaf<EventFact>[], subject: string): string | null {
  for (const [i, { fact }] of chain.entries()) {
    if (!fact) continue;
    const position = i + 1;
    if (fact.kind !== 'event') return `The fact at position ${position} is of the kind ${fact.kind}.`;
    if (fact.subject !== subject) return `Event ${fact.eventId} is about another subject than the snapshot.`;
    if (fact.position !== position)
      return `Event ${fact.eventId} has position ${fact.position}, expected is ${position}.`;
    const before = chain[i - 1];
    if (fact.previous !== (before ? toBase64(before.commitment) : null))
      return `Event ${fact.eventId} at position ${position} names another event before it than the one here.`;
  }
  return null;
}

function completeText(position: number, others: number): string {
  const own =
    position === 0
      ? 'The subject has no events of its own'
      : `All events from position 1 to ${position} are here: each names the one before, and the snapshot names the last`;
  return others === 0
    ? `${own}.`
    : `${own}. Of linked subjects ${others} events are here as commitments, and nothing shows whether they are all.`;
}

/** The subject's id in the log is derived from platform and user id, so a proof cannot be passed off as another user's. */
export function checkSubject({ userId, snapshot, events }: ScoreProof): Step {
  const facts = events.flatMap(({ fact }) => (fact ? [fact] : []));
  const [first] = facts;
  if (!first)
    return unchecked(
      'subject',
      `Not checked that the facts are about ${JSON.stringify(userId)}: no event names the platform.`,
    );
  if (facts.some(({ platformId }) => platformId !== first.platformId))
    return failed('subject', 'The events are of several platforms.');
  if (derivedSubject(first.platformId, userId) !== snapshot.fact?.subject)
    return failed(
      'subject',
      `The facts are not about ${JSON.stringify(userId)} of platform ${first.platformId}.`,
    );
  return passed('subject', `The facts are about ${JSON.stringify(userId)} of platform ${first.platformId}.`);
}

/** A UUIDv8 (RFC 9562) of the hash of the lengths and texts of its parts. Subjects in the log are live ones. */
export function derivedSubject(platformId: string, userId: string): string {
  const parts = ['subject', platformId, 'live', userId].map(utf8);
  const preceded = parts.map((part) => concat(utf8(`${part.length}:`), part));
  const hex = toHex(sha256(concat(...preceded)));
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
