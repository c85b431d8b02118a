import { fail } from '../../../domain/errors.js';
import { isUuid } from '../../../kit/ids.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import type { ScreeningDeps } from './deps.js';
import { type Screening, type ScreeningOwner, screeningCompleted } from './screening.js';
import { failScreening, findScreening, findStaleScreenings } from './store.js';

const MINUTE_MS = 60_000;

/**
 * The owner's screening as it stands. One that has not moved for too long is marked FAILED here, on read, and told of once
 * (RULES J8). Throws NOT_FOUND.
 */
export async function loadScreening(
  deps: ScreeningDeps,
  owner: ScreeningOwner,
  screeningId: string,
): Promise<Screening> {
  const found = await find(deps, owner, screeningId);
  const isUnderWay = found.status === 'QUEUED' || found.status === 'RUNNING';
  if (!isUnderWay || found.progressAt >= quietSince(deps)) return shown(found);
  await markStale(deps, owner, screeningId);
  return shown(await find(deps, owner, screeningId));
}

/** Marks all of the owner's screenings that have not moved for too long, up to a thousand. */
export async function endStaleScreenings(deps: ScreeningDeps, owner: ScreeningOwner): Promise<void> {
  const stale = await findStaleScreenings(deps.db, owner, quietSince(deps));
  for (const id of stale) await markStale(deps, owner, id);
}

async function find({ db }: ScreeningDeps, owner: ScreeningOwner, screeningId: string): Promise<Found> {
  const found = isUuid(screeningId) ? await findScreening(db, owner, screeningId) : null;
  return found ?? fail('NOT_FOUND', { message: 'There is no screening with this id.' });
}

type Found = Screening & { progressAt: Date };

function shown({ progressAt: _, ...screening }: Found): Screening {
  return screening;
}

function quietSince({ clock, config }: ScreeningDeps): Date {
  return new Date(clock.now().getTime() - config.screeningStaleMinutes * MINUTE_MS);
}

/** The statement decides: a worker that moves it at this moment, or another reader that marks it, comes first. */
async function markStale(
  deps: ScreeningDeps,
  { platformId }: ScreeningOwner,
  screeningId: string,
): Promise<void> {
  const { db, clock, ids, outbox, config } = deps;
  const now = clock.now();
  const error = `It made no progress for ${config.screeningStaleMinutes} minutes and was given up. Ask for it again.`;
  await db.transaction(async (tx) => {
    const key = { platformId, screeningId };
    const failed = await failScreening(tx, key, { error, now, quietSince: quietSince(deps) });
    if (!failed) return;
    await writeEnvelopes(tx, ids, now, [
      screeningCompleted({ platformId, livemode: failed.livemode }, failed),
    ]);
  });
  outbox.written();
}
