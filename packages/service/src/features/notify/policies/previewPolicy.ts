import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { DAY_MS } from '../../../domain/timestamp.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { PolicyDeps } from './changePolicies.js';
import { cursorOf, startOf } from './previewCursor.js';
import { countScored, findComponentsSince, hasSubject, type PreviewRow } from './previewStore.js';
import type { PreviewBody } from './schemas.js';
import { walkBook } from './walkBook.js';

const WINDOW_DAYS = 90;

/**
 * POST /policies/preview: what a policy with this condition would have told, and whom it holds for now. The first page counts
 * the whole book; its cursor carries the counts and the end of the window on, so that all pages are about the same.
 */
export async function previewPolicy(
  deps: PolicyDeps,
  { caller, body }: RequestContext<KeyAccess, z.output<typeof PreviewBody>, undefined, undefined>,
): Promise<Answer> {
  const { db } = deps;
  const { condition, userId = null, limit } = body;
  const start = startOf(body, caller, deps.clock.now());
  const { platformId, livemode } = caller;
  const from = new Date(start.to.getTime() - WINDOW_DAYS * DAY_MS);
  const subjectId = userId === null ? null : await knownSubjectId(deps, caller, userId);
  const isCounting = start.isFirst && (subjectId !== null || (await isCountable(deps, caller)));
  const book = { platformId, livemode, condition, from, to: start.to, subjectId };
  const { matches, next, ...walked } = await walkBook(db, book, { after: start.after, limit, isCounting });
  const counts = start.isFirst ? walked.counts : start.counts;
  const hasOwnHistory = condition.metric === 'component';
  return ok({
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
    nextCursor: next === null ? null : cursorOf(body, caller, { to: start.to, after: next, counts }),
  });
}

async function knownSubjectId({ db }: PolicyDeps, caller: KeyCaller, userId: string): Promise<string> {
  const subjectId = subjectIdOf(caller.platformId, caller.livemode, userId);
  return (await hasSubject(db, subjectId)) ? subjectId : fail('USER_NOT_FOUND');
}

async function isCountable({ config, db }: PolicyDeps, caller: KeyCaller): Promise<boolean> {
  const max = config.bookSummaryMax;
  return (await countScored(db, caller.platformId, caller.livemode, max + 1)) <= max;
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
