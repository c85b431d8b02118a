import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { findSnapshots, historyEntryOf } from '../../../ledger/reads/snapshots.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ScoreDeps } from './deps.js';
import type { HistoryQuery } from './schemas.js';

const MAX_SNAPSHOT_NO = 2 ** 31 - 1;
const HistoryCursor = z.tuple([z.int().min(1).max(MAX_SNAPSHOT_NO)]);

/** GET /users/{id}/score/history: every published change of the score, newest first. */
export async function listHistory(
  { db }: ScoreDeps,
  context: UserContext<z.output<typeof HistoryQuery>>,
): Promise<Answer> {
  const { cursor, limit } = context.query;
  const [before] = positionOf(cursor, HistoryCursor) ?? [MAX_SNAPSHOT_NO];
  const subjectId = subjectOf(context);
  const rows = await findSnapshots(db, subjectId, before, limit + 1);
  if (rows.length === 0 && !(await hasHistory(db, subjectId))) return fail('USER_NOT_FOUND');
  const page = pageOf(rows, limit, (snapshot) => [snapshot.snapshotNo]);
  return ok({ history: page.rows.map(historyEntryOf), nextCursor: page.nextCursor });
}

async function hasHistory(db: Queryable, subjectId: string): Promise<boolean> {
  return (await findSnapshots(db, subjectId, MAX_SNAPSHOT_NO, 1)).length > 0;
}
