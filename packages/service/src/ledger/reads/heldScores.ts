import { type Day, dayOf } from '@reliability/scoring';
import type { PublishedScore } from '../../domain/scoreCourse.js';
import type { Queryable } from '../../kit/db/database.js';

/** The score that was published on days of a freeze that has ended. */
export interface HeldScore extends PublishedScore {
  readonly from: Day;
  /** The first day at whose end it was not published any more. */
  readonly until: Day;
  readonly frozenSince: Date;
  /** Ledger positions of all members of the record, by subject. */
  readonly positions: Readonly<Record<string, number>>;
}

/** Of all freezes of a subject that have ended, oldest first. A member that joined during one has several. */
export async function findHeldScores(db: Queryable, subjectId: string): Promise<HeldScore[]> {
  const rows = await db.query<
    Omit<HeldScore, 'from' | 'until'> & { endedAt: Date; computedAt: Date; nextAt: Date | null }
  >(
    `with period as (
       select action, at as frozen_since, lead(at) over (order by number) as ended_at,
         (date_trunc('day', at at time zone 'UTC') + interval '1 day') at time zone 'UTC' as first_end
       from freeze_fact where subject_id = $1
     )
     select f.frozen_since, f.ended_at, s.as_of, s.final_score, s.score_band, s.confidence, s.positions, s.computed_at,
       lead(s.computed_at) over (partition by f.frozen_since order by s.snapshot_no) as next_at
     from period f join score_snapshot s on s.subject_id = $1 and s.computed_at < f.ended_at
       and s.snapshot_no >= (
         select max(snapshot_no) from score_snapshot before
         where before.subject_id = $1 and before.computed_at < least(f.first_end, f.ended_at)
       )
     where f.action = 'set'
     order by s.snapshot_no`,
    [subjectId],
  );
  return rows.map(({ endedAt, computedAt, nextAt, ...held }) => ({
    ...held,
    from: Math.max(dayOf(held.frozenSince), dayOf(computedAt)),
    until: Math.min(dayOf(endedAt), nextAt ? dayOf(nextAt) : Infinity),
  }));
}

export function heldOn(held: readonly HeldScore[], day: Day): HeldScore | undefined {
  return held.find(({ from, until }) => from <= day && day < until);
}
