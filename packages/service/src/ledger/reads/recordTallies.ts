import type { Tally } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { recordTalliesSql } from '../links/recordReads.js';
import { type PackedTallies, unpackTallies } from '../recompute/packedTallies.js';

/**
 * The current tallies of the whole record, those of the subject apart; none for an unknown subject. Read
 * as JSON, because the driver takes longer to parse SQL arrays of thousands of elements than the formula
 * to score them.
 */
export async function findRecordTallies(
  db: Queryable,
  subjectId: string,
): Promise<{ own: Tally[]; others: Tally[] }> {
  const rows = await db.query<PackedTallies & { isOwn: boolean }>(
    `select subject_id = $1 as is_own, json_agg(day) as days, json_agg(code) as codes, json_agg(count) as counts
     from (${recordTalliesSql('(select record_id from subject where subject_id = $1)')}) as tallies
     group by subject_id = $1`,
    [subjectId],
  );
  const of = (isOwn: boolean) => rows.filter((row) => row.isOwn === isOwn).flatMap(unpackTallies);
  return { own: of(true), others: of(false) };
}
