import type { EventType, StakeLevel } from '@reliability/scoring';
import type { RiskFacts } from '../../../domain/riskSignals/riskFacts.js';
import type { Queryable } from '../../../kit/db/database.js';
import { type AttestedRow, remainsOf, textOf, withFormerAttesters } from '../../../ledger/text/eventText.js';

export interface RiskSubject {
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

export interface ConfirmationRow {
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
