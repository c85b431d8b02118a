import { fail } from '../../../domain/errors.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { newestPage, newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import type { Screening, ScreeningPage, ScreeningQuery } from './schemas.js';
import { type ScreeningDeps, type ScreeningOwner, screeningCompleted } from './screening.js';
import { failScreening, findScreening, findScreenings, findStaleScreenings } from './store.js';

const MINUTE_MS = 60_000;

/**
 * A screening without its results. Marks it FAILED first if it made no progress for too long, and
 * emits that once (RULES J8). Throws NOT_FOUND.
 */
export async function readScreening(
  deps: ScreeningDeps,
  owner: Owner,
  screeningId: string,
): Promise<Screening> {
  const found = await find(deps, owner, screeningId);
  const isInProgress = found.status === 'QUEUED' || found.status === 'RUNNING';
  if (!isInProgress || found.progressAt >= quietSince(deps)) return toScreening(found);
  await markStale(deps, owner, screeningId);
  return toScreening(await find(deps, owner, screeningId));
}

/** A page of screenings, newest first. Marks stale ones FAILED first, up to a thousand. */
export async function listScreenings(
  deps: ScreeningDeps,
  owner: Owner,
  { status, limit, cursor }: ScreeningQuery,
): Promise<ScreeningPage> {
  const stale = await findStaleScreenings(deps.db, owner, quietSince(deps));
  for (const id of stale) await markStale(deps, owner, id);
  const { rows, nextCursor } = await newestPage(limit, newestPositionOf(cursor), (position) =>
    findScreenings(deps.db, { ...owner, status: status ?? null }, position, limit + 1),
  );
  const screenings = rows.map(({ xid: _, isSettled: __, horizon: ___, ...screening }) => screening);
  return { screenings, nextCursor };
}

async function find({ db }: ScreeningDeps, owner: ScreeningOwner, screeningId: string): Promise<Found> {
  const found = isUuid(screeningId) ? await findScreening(db, owner, screeningId) : null;
  return found ?? fail('NOT_FOUND', { message: 'There is no screening with this id.' });
}

type Found = Screening & { progressAt: Date };

function toScreening({ progressAt: _, ...screening }: Found): Screening {
  return screening;
}

function quietSince({ clock, config }: ScreeningDeps): Date {
  return new Date(clock.now().getTime() - config.screeningStaleMinutes * MINUTE_MS);
}

/**
 * The UPDATE decides: it changes nothing if a worker made progress or another reader was faster.
 */
async function markStale(
  deps: ScreeningDeps,
  { platformId }: ScreeningOwner,
  screeningId: string,
): Promise<void> {
  const { db, clock, ids, wakes, config } = deps;
  const now = clock.now();
  const error = `The screening made no progress for ${config.screeningStaleMinutes} minutes. Create it again.`;
  await db.transaction(async (tx) => {
    const key = { platformId, screeningId };
    const failed = await failScreening(tx, key, { error, now, quietSince: quietSince(deps) });
    if (!failed) return;
    await writeEnvelopes(tx, ids, now, [
      screeningCompleted({ platformId, livemode: failed.livemode }, failed),
    ]);
  });
  wakes.raise('deliveries');
}
