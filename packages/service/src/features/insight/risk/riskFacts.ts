import type { EventType, StakeLevel } from '@reliability/scoring';
import type { Confirmations, RiskFacts } from '#domain/riskSignals/riskFacts.js';
import { partyKeyOf } from '#domain/sameParty.js';
import type { Queryable } from '#kit/db/database.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import {
  type AttestedRow,
  isFormer,
  remainsOf,
  textOf,
  withFormerAttesters,
} from '#ledger/text/eventText.js';

interface RiskSubject {
  /** Events of the subject. */
  eventCount: number;
  subjectType: RiskFacts['subjectType'];
  registeredAt: Date;
}

/** Null for a subject that nobody knows. */
export async function findRiskSubject(db: Queryable, subjectId: string): Promise<RiskSubject | null> {
  const [row] = await db.query<RiskSubject>(
    'select event_count, subject_type, registered_at from subject where subject_id = $1',
    [subjectId],
  );
  return row ?? null;
}

export interface RiskEventRow extends AttestedRow {
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  transactionValue: number | null;
  dueDate: Date | null;
  completedAt: Date | null;
  createdAt: Date;
  imported: boolean;
  /** Written by the dispute engine, and so no report. */
  isEngine: boolean;
}

/** The latest events of a subject, newest first. */
export async function findLatestEvents(
  db: Queryable,
  subjectId: string,
  limit: number,
): Promise<readonly RiskEventRow[]> {
  const rows = await db.query<RiskEventRow>(
    `select e.event_type, e.stake_level, e.is_verified, t.transaction_value, e.due_date, e.completed_at, e.created_at, e.imported,
       e.dispute_id is not null as is_engine, t.attester, r.attester_hash
     from event e ${textOf('e')} ${remainsOf('e')}
     where e.subject_id = $1 order by e.event_id desc limit $2`,
    [subjectId, limit],
  );
  return withFormerAttesters(db, rows);
}

interface ConfirmationRow {
  subjectId: string;
  attester: string;
  count: number;
}

/**
 * The attesters of each subject, among its latest events.
 * @param names parties of interest, also where their names were dropped from an event.
 */
export async function findAttesters(
  db: Queryable,
  subjectIds: readonly string[],
  eventsEach: number,
  names: readonly string[],
): Promise<readonly ConfirmationRow[]> {
  const rows = await db.query<ConfirmationRow & AttestedRow>(
    `select asked.subject_id, latest.attester, latest.attester_hash, count(*)::integer as count
     from unnest($1::uuid[]) as asked (subject_id)
     cross join lateral (
       select t.attester, r.attester_hash from event e ${textOf('e')} ${remainsOf('e')}
       where e.subject_id = asked.subject_id order by e.event_id desc limit $2
     ) as latest
     where latest.attester is not null or latest.attester_hash is not null
     group by asked.subject_id, latest.attester, latest.attester_hash
     order by asked.subject_id, count(*) desc, latest.attester, latest.attester_hash`,
    [subjectIds, eventsEach],
  );
  return withFormerAttesters(db, rows, names);
}

/** Of the subject's latest confirmed requests of which it is known how they were answered: how many, and how many by the asker. */
export async function countAnswers(
  db: Queryable,
  subjectId: string,
  limit: number,
): Promise<{ confirmed: number; byAsker: number }> {
  const [row] = await db.query<{ confirmed: number; byAsker: number }>(
    `select count(*)::integer as confirmed, (count(*) filter (where answered_by_asker))::integer as "byAsker"
     from (
       select answered_by_asker from confirmation
       where subject_id = $1 and status = 'CONFIRMED' and answered_by_asker is not null
       order by confirmation_id desc limit $2
     ) as latest`,
    [subjectId, limit],
  );
  return row ?? { confirmed: 0, byAsker: 0 };
}

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
