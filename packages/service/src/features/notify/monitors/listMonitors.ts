import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { WatchOwner } from '../watchOwner.js';
import type { MonitorDeps } from './deps.js';
import type { MonitorQuery } from './schemas.js';
import { findMonitors } from './store.js';

const MonitorCursor = z.tuple([z.uuid()]);

/** GET /monitors: newest first, active or not. */
export async function listMonitors(
  { db }: MonitorDeps,
  owner: WatchOwner,
  { query }: { query: z.output<typeof MonitorQuery> },
): Promise<Answer> {
  const [beforeId] = positionOf(query.cursor, MonitorCursor) ?? [null];
  const { userId } = query;
  const subjectId = userId === undefined ? null : subjectIdOf(owner.platformId, owner.livemode, userId);
  const rows = await findMonitors(db, owner, subjectId, beforeId, query.limit + 1);
  const page = pageOf(rows, query.limit, (monitor) => [monitor.id]);
  return ok({ monitors: page.rows, nextCursor: page.nextCursor });
}
