import { dayOf } from '@reliability/scoring';
import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Owner } from '../../../kit/http/route.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { PolicyDeps } from './changePolicies.js';
import { cursorOf, startOf } from './previewCursor.js';
import { countScored, hasSubject, type PreviewRow, previewSlice, sumEvents } from './previewStore.js';
import { replaySlice } from './replaySlice.js';
import type { PolicyPreview, PreviewBody } from './schemas.js';
import { walkBook } from './walkBook.js';

const WINDOW_DAYS = 90;
/** Largest book that a first page replays: about 5 s of two processors that also do other work. */
const MAX_REPLAYED = { subjects: 50_000, events: 500_000 };

/**
 * POST /policies/preview. The first page counts all subjects. Cursors carry the counts and the end
 * of the window, so that all pages agree.
 */
export async function previewPolicy(
  deps: PolicyDeps,
  owner: Owner,
  body: z.output<typeof PreviewBody>,
): Promise<PolicyPreview> {
  const { db } = deps;
  const { condition, by, userId = null, limit } = body;
  const start = startOf(body, owner, deps.clock.now());
  const { platformId, livemode } = owner;
  const from =
    by === 'outcome'
      ? new Date((dayOf(start.to) - WINDOW_DAYS + 1) * DAY_MS)
      : new Date(start.to.getTime() - WINDOW_DAYS * DAY_MS);
  const subjectId = userId === null ? null : await knownSubjectId(deps, owner, userId);
  const isCounting = start.isFirst && (subjectId !== null || (await isCountable(deps, owner, by)));
  const book = { platformId, livemode, condition, from, to: start.to, subjectId };
  const readSlice = by === 'outcome' ? replaySlice : previewSlice;
  const walk = { readSlice, after: start.after, limit, isCounting };
  const { matches, next, ...walked } = await walkBook(db, book, walk);
  const counts = start.isFirst ? walked.counts : start.counts;
  return {
    condition,
    by,
    userId,
    window: { from, to: start.to, days: WINDOW_DAYS },
    counts,
    aggregationSkipped: counts ? null : 'population_too_large',
    subjects: matches.map(entryOf),
    nextCursor: next === null ? null : cursorOf(body, owner, { to: start.to, after: next, counts }),
  };
}

async function knownSubjectId({ db }: PolicyDeps, owner: Owner, userId: string): Promise<string> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  return (await hasSubject(db, subjectId)) ? subjectId : fail('USER_NOT_FOUND');
}

async function isCountable(
  { config, db }: PolicyDeps,
  { platformId, livemode }: Owner,
  by: PolicyPreview['by'],
): Promise<boolean> {
  const max =
    by === 'outcome' ? Math.min(config.bookSummaryMax, MAX_REPLAYED.subjects) : config.bookSummaryMax;
  if ((await countScored(db, platformId, livemode, max + 1)) > max) return false;
  return by === 'recorded' || (await sumEvents(db, platformId, livemode)) <= MAX_REPLAYED.events;
}

function entryOf(row: PreviewRow) {
  return {
    userId: row.externalId,
    isPast: row.isPast,
    observed: row.observed,
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    crossings: row.crossings,
    lastCrossedAt: row.lastCrossedAt,
  };
}
