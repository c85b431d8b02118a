import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { EarningsPlatform, EarningsSum } from './earnings.js';
import type { EarningsWindow } from './earningsWindow.js';
import { type EarningsRow, findMembers, type MemberRow, sumEarnings } from './store.js';

export interface Earnings {
  readonly platforms: readonly EarningsPlatform[];
  readonly sums: readonly EarningsSum[];
}

/** What the platforms of a subject's record have reported; throws USER_NOT_FOUND. A platform has one subject in it (RULES L2). */
export async function loadEarnings(
  db: Queryable,
  subjectId: string,
  window: EarningsWindow,
): Promise<Earnings> {
  const members = await findMembers(db, subjectId);
  if (members.length === 0) return fail('USER_NOT_FOUND');
  const subjectIds = members.map((member) => member.subjectId);
  const afterEnd = new Date(window.to.getTime() + 1);
  const rows = await sumEarnings(db, subjectIds, [...window.cuts, afterEnd]);
  return {
    platforms: members.map(platformOf),
    sums: rows.flatMap((row) => sumOf(row, subjectIds, window) ?? []),
  };
}

function platformOf({ isSelf, name, trustTier }: MemberRow): EarningsPlatform {
  return { isSelf, name, trustTier };
}

/** Null for what is outside of every month asked about, and for what is no earnings matter. */
function sumOf(
  { subjectId, stretch, kind, valued, unvalued, total }: EarningsRow,
  subjectIds: readonly string[],
  { cuts, from }: EarningsWindow,
): EarningsSum | null {
  const begin = cuts[stretch - 1];
  if (!begin || !kind) return null;
  const month = begin.toISOString().slice(0, 'yyyy-mm'.length);
  return {
    ...{ kind, valued, unvalued, total, month },
    platform: subjectIds.indexOf(subjectId),
    isInWindow: begin >= from,
  };
}
