import { model } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { lowestIdAt } from '#kit/ids.js';
import { knownPlatforms, platformIn } from '#ledger/groups/platforms.js';
import { membersSql } from '#ledger/links/recordReads.js';
import { occurredAtOf } from '#ledger/reads/eventRow.js';
import { textOf } from '#ledger/text/eventText.js';
import type { EarningsKind, EarningsPlatform } from './earnings.js';

interface MemberRow extends EarningsPlatform {
  subjectId: string;
}

/**
 * The members of the record that contains a subject, the subject first. Empty for an unknown
 * subject. Other platforms have no names here.
 */
export async function findMembers(db: Queryable, subjectId: string): Promise<MemberRow[]> {
  const rows = await db.query<{ subjectId: string; platformId: string; isSelf: boolean }>(
    `select m.subject_id, m.platform_id, m.subject_id = $1 as is_self
     from (${membersSql('(select record_id from subject where subject_id = $1)')}) as m
     order by is_self desc, m.subject_id`,
    [subjectId],
  );
  const known = await knownPlatforms(db, rows);
  return rows.map(({ platformId, ...row }) => {
    const { name, trustTier } = platformIn(known, platformId);
    return { ...row, name: row.isSelf ? name : null, trustTier };
  });
}

export interface EarningsRow {
  subjectId: string;
  /** Number of cuts at or before it. */
  period: number;
  /** Null: an undisputed breach. */
  kind: EarningsKind | null;
  valued: number;
  unvalued: number;
  total: string | null;
}

const { positive, contested, breach } = model.classes;

/**
 * Values of outcomes, summed by kind and by the period between two cuts in which they happened
 * (docs/FORMULA.md "What goes in"). Period 0 lies before the first cut. Events are recorded after
 * they happen, and ids contain the time of recording. So the query reads a range of the primary key
 * that starts at the first cut.
 */
export function sumEarnings(
  db: Queryable,
  subjectIds: readonly string[],
  cuts: readonly Date[],
): Promise<EarningsRow[]> {
  const outcomes = [...positive, ...contested, ...breach];
  return db.query<EarningsRow>(
    `select e.subject_id,
       width_bucket(${occurredAtOf('e')}, $3::timestamptz[]) as period,
       case
         when e.event_type = any($4::text[]) then case when e.is_verified then 'attested' else 'unverified' end
         when e.event_type = any($5::text[]) then 'disputed'
         when (e.subject_id, e.event_id) in (
           select d.subject_id, d.event_id from dispute d where d.subject_id = any($1::uuid[])
         ) then 'disputed'
       end as kind,
       count(t.transaction_value)::integer as valued, (count(*) - count(t.transaction_value))::integer as unvalued,
       sum(t.transaction_value)::text as total
     from event e ${textOf('e')}
     where e.subject_id = any($1::uuid[]) and e.event_id >= $2 and e.event_type = any($6::text[])
     group by 1, 2, 3`,
    [subjectIds, lowestIdAt(cuts[0] ?? new Date(0)), cuts, positive, contested, outcomes],
    { isUncached: true },
  );
}
