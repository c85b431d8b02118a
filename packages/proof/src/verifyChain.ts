import { concat, toBase64, toHex, utf8 } from './bytes.js';
import { EMPTY_CHAIN, nextChain } from './chain.js';
import type { EventFact, Member, ProvenLeaf, ScoreProof, SnapshotFact } from './readProof.js';
import { sha256 } from './sha256.js';
import { failed, passed, type Step, unchecked } from './step.js';

/** The subject that the score is about. */
export function ownMember({ snapshot, members }: ScoreProof): Member | undefined {
  return members.find(
    ({ subject, log }) => log === null && subject !== null && subject === snapshot.fact?.subject,
  );
}

/**
 * The events of all members are exactly those that the snapshot commits to, hidden ones included. So none can be left out, added or
 * moved, also of another platform.
 */
export function checkCompleteness(proof: ScoreProof): Step {
  const { fact } = proof.snapshot;
  if (fact?.kind !== 'snapshot') return failed('completeness', 'notASnapshot', { kind: fact?.kind });
  const missing = missingOf(fact, proof.members);
  if (missing) return missing;
  const own = ownMember(proof);
  if (!own) return failed('completeness', 'noOwnEvents');
  // The subject is of the platform that gets the proof, so nothing of its own chain is hidden from it.
  const hidden = own.events.filter((event) => !event.fact).length;
  if (hidden > 0) return failed('completeness', 'hiddenChain', { hidden });
  const eventIds = new Set<string>();
  const subjects = new Set<string>();
  for (const { subject, events } of proof.members) {
    const shown = events.find((event) => event.fact)?.fact?.subject;
    if (subject !== null && subject !== own.subject && shown === undefined)
      return failed('completeness', 'unshownSubject', { subject });
    const named = subject ?? shown;
    if (named === undefined) continue;
    if (subjects.has(named)) return failed('completeness', 'sameSubject', { subject: named });
    subjects.add(named);
    const wrong = firstWrong(events, named, eventIds);
    if (wrong) return wrong;
  }
  const total = fact.members.reduce((sum, { position }) => sum + position, 0);
  const position = own.events.length;
  return passed('completeness', 'complete', { position, others: total - position });
}

/** Each chain of the snapshot is that of one member. */
function missingOf(fact: SnapshotFact, members: readonly Member[]): Step | null {
  const keyOf = (position: number, chain: string) => `${position} ${chain}`;
  const chains = new Map<string, number>();
  for (const { events } of members) {
    const chain = events.reduce<Uint8Array>(
      (before, { commitment }) => nextChain(before, commitment),
      EMPTY_CHAIN,
    );
    const key = keyOf(events.length, toBase64(chain));
    chains.set(key, (chains.get(key) ?? 0) + 1);
  }
  let fitting = 0;
  for (const { position, chain } of fact.members) {
    const left = chains.get(keyOf(position, chain)) ?? 0;
    if (left > 0) fitting += 1;
    chains.set(keyOf(position, chain), left - 1);
  }
  if (fitting === fact.members.length && fitting === members.length) return null;
  return failed('completeness', 'otherMembers', {
    counted: { members: fact.members.length, events: sumOf(fact.members, ({ position }) => position) },
    here: { members: members.length, events: sumOf(members, ({ events }) => events.length) },
  });
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function firstWrong(
  chain: readonly ProvenLeaf<EventFact>[],
  subject: string,
  eventIds: Set<string>,
): Step | null {
  for (const [i, { fact, leafIndex }] of chain.entries()) {
    const before = chain[i - 1];
    const position = i + 1;
    if (before && before.leafIndex >= leafIndex) return failed('completeness', 'otherOrder', { position });
    if (!fact) continue;
    const { eventId, kind } = fact;
    if (kind !== 'event') return failed('completeness', 'otherKind', { position, kind });
    if (fact.subject !== subject) return failed('completeness', 'otherSubject', { eventId });
    if (fact.position !== position)
      return failed('completeness', 'otherPosition', { eventId, found: fact.position, position });
    if (fact.previous !== (before ? toBase64(before.commitment) : null))
      return failed('completeness', 'otherPrevious', { eventId, position });
    if (eventIds.has(eventId)) return failed('completeness', 'sameEvent', { eventId, position });
    eventIds.add(eventId);
  }
  return null;
}

/** The subject's id in the log is derived from platform and user id, so a proof cannot be passed off as another user's. */
export function checkSubject(proof: ScoreProof): Step {
  const { userId, snapshot } = proof;
  const facts = (ownMember(proof)?.events ?? []).flatMap(({ fact }) => (fact ? [fact] : []));
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
