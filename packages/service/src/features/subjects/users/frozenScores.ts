import type { Queryable } from '../../../kit/db/database.js';
import { knownPlatforms, platformIn } from '../../../ledger/groups/platforms.js';
import type { FrozenScores } from './schemas.js';

/** More at once than an operator reads. The next ones appear when these are cleared. */
export const MAX_FROZEN_LISTED = 200;

/** Live scores that the velocity guard holds, longest first. */
export async function listFrozenScores(db: Queryable): Promise<FrozenScores> {
  const rows = await db.query<Omit<FrozenScores['frozenScores'][number], 'platformName'>>(
    `select s.platform_id, s.external_id as user_id, s.frozen_at, s.final_score, s.score_band, s.own_events as total_events
     from score s
     where s.frozen_at is not null and s.livemode order by s.frozen_at, s.subject_id limit $1`,
    [MAX_FROZEN_LISTED + 1],
  );
  const known = await knownPlatforms(db, rows);
  const frozenScores = rows.map((row) => ({ ...row, platformName: platformIn(known, row.platformId).name }));
  return joinFrozenScores([{ frozenScores, truncated: false }]);
}

/** The lists of several groups as one. */
export function joinFrozenScores(lists: readonly FrozenScores[]): FrozenScores {
  const all = lists
    .flatMap(({ frozenScores }) => frozenScores)
    .sort((a, b) => a.frozenAt.getTime() - b.frozenAt.getTime());
  const truncated = all.length > MAX_FROZEN_LISTED || lists.some((list) => list.truncated);
  return { frozenScores: all.slice(0, MAX_FROZEN_LISTED), truncated };
}
