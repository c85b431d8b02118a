import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { newestPage, newestPositionOf } from '../../../ledger/reads/newestPage.js';
import type { ScreeningDeps } from './deps.js';
import { endStaleScreenings } from './lockScreening.js';
import type { ScreeningQuery } from './schemas.js';
import { findScreenings } from './store.js';

/**
 * GET /screenings: those of the key's mode, newest first. A read ends what is stale, as that of a
 * single one does.
 */
export async function listScreenings(
  deps: ScreeningDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof ScreeningQuery>, undefined>,
): Promise<Answer> {
  const { status = null, limit, cursor } = query;
  await endStaleScreenings(deps, caller);
  const { rows, nextCursor } = await newestPage(limit, newestPositionOf(cursor), (position) =>
    findScreenings(deps.db, { ...caller, status }, position, limit + 1),
  );
  return ok({
    screenings: rows.map(({ xid: _, isSettled: __, horizon: ___, ...screening }) => screening),
    nextCursor,
  });
}
