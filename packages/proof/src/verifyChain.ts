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
  if (fact?.kind !== 'snapshot') return failed('completeness', 'notASnapshot', { kind: fact?.kind });
  const { position, head, subject } = fact;
  const chain = events.slice(0, position);
  if (chain.length < position)
    return failed('completeness', 'eventsMissing', { position, found: chain.length });
  const extra = events.slice(position).find((event) => event.fact);
  if (extra) return failed('completeness', 'eventTooMany', { eventId: extra.fact?.eventId, position });
  // The subject is of the platform that gets the proof, so nothing of its own chain is hidden from it.
  const hidden = chain.filter((event) => !event.fact).length;
  if (hidden > 0) return failed('completeness', 'hiddenChain', { hidden });
  const wrong = firstWrong(chain, subject);
  if (wrong) return wrong;
  const last = chain.at(-1);
  if (head !== (last ? toBase64(last.commitment) : null))
    return failed('completeness', 'otherHead', { position });
  return passed('completeness', 'complete', { position, others: events.length - position });
}

function firstWrong(chain: readonly ProvenLeaf<EventFact>[], subject: string): Step | null {
  const eventIds = new Set<string>();
  for (const [i, { fact }] of chain.entries()) {
    if (!fact) continue;
    const position = i + 1;
    const { eventId, kind } = fact;
    if (kind !== 'event') return failed('completeness', 'otherKind', { position, kind });
    if (fact.subject !== subject) return failed('completeness', 'otherSubject', { eventId });
    if (fact.position !== position)
      return failed('completeness', 'otherPosition', { eventId, found: fact.position, position });
    const before = chain[i - 1];
    if (fact.previous !== (before ? toBase64(before.commitment) : null))
      return failed('completeness', 'otherPrevious', { eventId, position });
    if (eventIds.has(eventId)) return failed('completeness', 'sameEvent', { eventId, position });
    eventIds.add(eventId);
  }
  return null;
}

/** The subject's id in the log is derived from platform and user id, so a proof cannot be passed off as another user's. */
export function checkSubject({ userId, snapshot, events }: ScoreProof): Step {
  const facts = events.flatMap(({ fact }) => (fact ? [fact] : []));
  const [first] = facts;
  if (!first) return unchecked('subject', 'noPlatform', { userId });
  const { platformId } = first;
  if (facts.some((fact) => fact.platformId !== platformId)) return failed('subject', 'severalPlatforms');
  return derivedSubject(platformId, userId) === snapshot.fact?.subject
    ? passed('subject', 'about', { userId, platformId })
    : failed('subject', 'notAbout', { userId, platformId });
}

/** A UUIDv8 (RFC 9562) of the hash of the lengths and texts of its parts. Subjects in the log are live ones. */
export function derivedSubject(platformId: string, userId: string): string {
  const parts = ['subject', platformId, 'live', userId].map(utf8);
  const preceded = parts.map((part) => concat(utf8(`${part.length}:`), part));
  const hex = toHex(sha256(concat(...preceded)));
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
