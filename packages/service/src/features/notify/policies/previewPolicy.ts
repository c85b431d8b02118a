import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import type { Owner } from '../../../kit/http/route.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { PolicyDeps } from './changePolicies.js';
import { cursorOf, startOf } from './previewCursor.js';
import { countScored, findComponentsSince, hasSubject, type PreviewRow } from './previewStore.js';
import type { PolicyPreview, PreviewBody } from './schemas.js';
import { walkBook } from './walkBook.js';

const WINDOW_DAYS = 90;

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
  const { condition, userId = null, limit } = body;
  const start = startOf(body, owner, deps.clock.now());
  const { platformId, livemode } = owner;
  const from = new Date(start.to.getTime() - WINDOW_DAYS * DAY_MS);
  const subjectId = userId === null ? null : await knownSubjectId(deps, owner, userId);
  const isCounting = start.isFirst && (subjectId !== null || (await isCountable(deps, owner)));
  const book = { platformId, livemode, condition, from, to: start.to, subjectId };
  const { matches, next, ...walked } = await walkBook(db, book, { after: start.after, limit, isCounting });
  const counts = start.isFirst ? walked.counts : start.counts;
  const hasOwnHistory = condition.metric === 'component';
  return {
    condition,
    userId,
    window: {
      from,
      to: start.to,
      days: WINDOW_DAYS,
      since: hasOwnHistory ? await findComponentsSince(db, platformId, livemode, from) : null,
    },
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

async function isCountable({ config, db }: PolicyDeps, owner: Owner): Promise<boolean> {
  const max = config.bookSummaryMax;
  return (await countScored(db, owner.platformId, owner.livemode, max + 1)) <= max;
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
