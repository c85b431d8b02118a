import type { Queryable } from '../../../kit/db/database.js';
import type { FrozenScores } from './schemas.js';

/** More at once than an operator reads. The next ones appear when these are cleared. */
export const MAX_FROZEN_LISTED = 200;

/** Live scores that the velocity guard holds, longest first. */
export async function listFrozenScores(db: Queryable): Promise<FrozenScores> {
  const rows = await db.query<FrozenScores['frozenScores'][number]>(
    `select s.platform_id, p.name as platform_name, s.external_id as user_id, s.frozen_at, s.final_score, s.score_band, s.own_events as total_events
     from score s join platform p using (platform_id)
     where s.frozen_at is not null and s.livemode order by s.frozen_at, s.subject_id limit $1`,
    [MAX_FROZEN_LISTED + 1],
  );
  return joinFrozenScores([{ frozenScores: rows, truncated: false }]);
}

/** The lists of several groups as one. */
export function joinFrozenScores(lists: readonly FrozenScores[]): FrozenScores {
  const all = lists
    .flatMap(({ frozenScores }) => frozenScores)
    .sort((a, b) => a.frozenAt.getTime() - b.frozenAt.getTime());
  const truncated = all.length > MAX_FROZEN_LISTED || lists.some((list) => list.truncated);
  return { frozenScores: all.slice(0, MAX_FROZEN_LISTED), truncated };
}
