import type { Confirmations } from '../../../domain/riskSignals/riskFacts.js';
import { partyKeyOf } from '../../../domain/sameParty.js';
import type { Queryable } from '../../../kit/db/database.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { isFormer } from '../../../ledger/text/eventText.js';
import { findAttesters } from './store.js';

/** The platform and mode within which names of attesters may be names of subjects. */
interface Book {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** How many parties are looked at, one, two and three steps from the subject. */
const PARTIES_PER_STEP = [10, 20, 40] as const;
const SPELLINGS_PER_PARTY = 3;
const EVENTS_EACH = 100;

/** What is known around a subject. */
interface Surroundings {
  readonly confirmations: Confirmations;
  /** Parties as their name was written. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Who confirms the subject's attesters, up to three steps away, where they are subjects of the same
 * book themselves. Bounded: ten parties, then twenty, then forty, a hundred events each, one
 * look-up per step.
 * @param attesters the subject's own, as written, the most frequent first.
 */
export async function confirmationsAround(
  db: Queryable,
  book: Book,
  self: string,
  attesters: readonly string[],
): Promise<Surroundings> {
  const confirmations = new Map<string, Map<string, number>>();
  const names = new Map<string, string>();
  let nextNames = attesters;
  for (const limit of PARTIES_PER_STEP) {
    const keyOfSubject = subjectsNamed(
      book,
      nextNames,
      limit,
      (key) => key !== self && !confirmations.has(key),
    );
    for (const name of nextNames) if (!names.has(partyKeyOf(name))) names.set(partyKeyOf(name), name);
    if (keyOfSubject.size === 0) break;
    for (const key of keyOfSubject.values()) confirmations.set(key, new Map());
    const rows = await findAttesters(db, [...keyOfSubject.keys()], EVENTS_EACH, [self, ...names.values()]);
    for (const { subjectId, attester, count } of rows) {
      const confirmed = keyOfSubject.get(subjectId) ?? '';
      const by = partyKeyOf(attester);
      const known = confirmations.get(confirmed);
      if (known && by !== confirmed && by !== '') known.set(by, (known.get(by) ?? 0) + count);
    }
    nextNames = rows.map(({ attester }) => attester);
  }
  return { confirmations, names };
}

/**
 * The subjects that the names could mean, each with its party; as many parties as the limit says.
 */
function subjectsNamed(
  { platformId, livemode }: Book,
  names: readonly string[],
  limit: number,
  isWanted: (key: string) => boolean,
): Map<string, string> {
  const spellings = new Map<string, Set<string>>();
  for (const name of names) {
    if (isFormer(name)) continue;
    const key = partyKeyOf(name);
    const known = spellings.get(key);
    if (known && known.size < SPELLINGS_PER_PARTY) known.add(name);
    if (!known && spellings.size < limit && key !== '' && isWanted(key)) spellings.set(key, new Set([name]));
  }
  const keys = new Map<string, string>();
  for (const [key, written] of spellings) {
    for (const name of written) keys.set(subjectIdOf(platformId, livemode, name), key);
  }
  return keys;
}
