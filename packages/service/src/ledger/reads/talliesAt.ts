import type { Tally } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { ledgerOf } from '../audit/cursor.js';
import { readsOfMembers } from '../links/recordReads.js';
import { type PackedTallies, unpackTallies } from '../recompute/packedTallies.js';

/** Tallies have no positions, so the ledger is read up to there; not if the position is the last one. */
export async function talliesAt(
  db: Queryable,
  positions: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, readonly Tally[]>> {
  const reads = await readsOfMembers(db, Object.keys(positions));
  const rows = await reads.query<PackedTallies & { subjectId: string }>(
    `select s.subject_id, t.days, t.codes, t.counts
     from json_each_text($1::json) as counted (member, position)
       join subject s on s.subject_id = counted.member::uuid and s.event_count = counted.position::integer
       cross join lateral (
         select json_agg(day) as days, json_agg(code) as codes, json_agg(count) as counts
         from tally where tally.subject_id = s.subject_id
       ) as t`,
    [JSON.stringify(positions)],
  );
  const tallies = new Map<string, readonly Tally[]>(rows.map((row) => [row.subjectId, unpackTallies(row)]));
  for (const [subjectId, position] of Object.entries(positions)) {
    if (tallies.has(subjectId)) continue;
    const ledger = ledgerOf(reads, subjectId);
    await ledger.advanceTo(position);
    tallies.set(subjectId, [...ledger.tallies.values()]);
  }
  return tallies;
}
