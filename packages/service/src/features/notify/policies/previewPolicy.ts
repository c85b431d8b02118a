import { dayOf } from '@reliability/scoring';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { DAY_MS } from '#domain/timestamp.js';
import { sha256 } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { encodeCursor, positionOf } from '#kit/http/cursor.js';
import type { Owner } from '#kit/http/route.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { hasSubject, type PreviewSlice, sizeOfBook } from './previewStore.js';
import { type PreviewRow, replaySlice } from './replaySlice.js';
import type { PolicyPreview, PreviewBody } from './schemas.js';

type Question = Pick<z.output<typeof PreviewBody>, 'condition' | 'userId' | 'cursor'>;

/** The content of a cursor. */
interface PreviewPosition {
  /** End of the window: the time of the first page. */
  readonly to: Date;
  /** The page has subjects with a greater external id. */
  readonly after: string;
  readonly counts: PreviewCounts | null;
}

/**
 * The position of a page. Throws BAD_REQUEST for a damaged cursor and for one of another question.
 */
function startOf(
  question: Question,
  owner: Owner,
  now: Date,
): PreviewPosition & { readonly isFirst: boolean } {
  const shape = z.tuple([
    z.literal(bindingOf(question, owner)),
    z.int().min(0).max(now.getTime()),
    z.string().max(255),
    z.union([z.string().max(0), z.string().regex(/^\d{1,10}(,\d{1,10}){3}$/)]),
  ]);
  const [, toMs, after, counts] = positionOf(question.cursor ?? undefined, shape) ?? [];
  if (toMs === undefined || after === undefined) return { isFirst: true, to: now, after: '', counts: null };
  return { isFirst: false, to: new Date(toMs), after, counts: countsOf(counts ?? '') };
}

function cursorOf(question: Question, owner: Owner, { to, after, counts }: PreviewPosition): string {
  const carried = counts ? [counts.scored, counts.past, counts.crossed, counts.crossings].join(',') : '';
  return encodeCursor([bindingOf(question, owner), to.getTime(), after, carried]);
}

function countsOf(text: string): PreviewCounts | null {
  if (text === '') return null;
  const [scored = 0, past = 0, crossed = 0, crossings = 0] = text.split(',').map(Number);
  return { scored, past, crossed, crossings };
}

/** Binds a cursor to its question, platform and mode. */
function bindingOf({ condition, userId = null }: Question, { platformId, livemode }: Owner): string {
  return sha256(JSON.stringify([condition, userId, platformId, livemode]))
    .toString('base64url')
    .slice(0, 8);
}

/** Counts of all subjects of a platform and mode. */
interface PreviewCounts {
  scored: number;
  past: number;
  crossed: number;
  crossings: number;
}

interface Walk {
  /** Only subjects with a greater external id. */
  after: string;
  /** Matches to find. */
  limit: number;
  /** Walks to the end, whatever the number of matches, and counts. */
  isCounting: boolean;
}

interface Walked {
  matches: PreviewRow[];
  /** Null unless `isCounting`. */
  counts: PreviewCounts | null;
  /** Start of the next page; null: there is none. */
  next: string | null;
}

/**
 * Slices are separate statements, so that others run between them: the embedded database has one
 * connection.
 */
const SLICE_SUBJECTS = 1000;
/**
 * A page ends after so many subjects for each match that it may have, even if it finds fewer. So a
 * small page is answered soon, however rare the condition is.
 */
const SUBJECTS_PER_MATCH = 200;
/** The same for the events that were replayed. */
const EVENTS_PER_MATCH = 5000;

/**
 * Walks through the subjects by external id until a page is full or its limit is reached, or to the
 * end when counting.
 */
async function walkBook(
  db: Database,
  book: Omit<PreviewSlice, 'afterExternalId' | 'size'>,
  { after, limit, isCounting }: Walk,
): Promise<Walked> {
  const matches: PreviewRow[] = [];
  const counts: PreviewCounts = { scored: 0, past: 0, crossed: 0, crossings: 0 };
  let events = 0;
  let last: string | null = after;
  // Most conditions fill a page with a few subjects.
  let size = isCounting ? SLICE_SUBJECTS : Math.min(SLICE_SUBJECTS, 2 * limit);
  while (last !== null) {
    const slice = await replaySlice(db, { ...book, afterExternalId: last, size });
    size = Math.min(SLICE_SUBJECTS, 2 * size);
    last = slice.lastExternalId;
    matches.push(...slice.matches.slice(0, limit + 1 - matches.length));
    addTo(counts, slice.checked, slice.matches);
    events += slice.events;
    const isEnough =
      matches.length > limit ||
      counts.scored >= SUBJECTS_PER_MATCH * limit ||
      events >= EVENTS_PER_MATCH * limit;
    if (isEnough && !isCounting) break;
  }
  const page = matches.slice(0, limit);
  const next = matches.length > limit ? (page.at(-1)?.userId ?? null) : last;
  return { matches: page, counts: isCounting ? counts : null, next };
}

function addTo(counts: PreviewCounts, checked: number, matches: readonly PreviewRow[]): void {
  counts.scored += checked;
  for (const match of matches) {
    if (match.isPast) counts.past += 1;
    if (match.crossings > 0) counts.crossed += 1;
    counts.crossings += match.crossings;
  }
}

type PreviewDeps = Pick<ServiceDeps, 'config' | 'db' | 'clock'>;

const WINDOW_DAYS = 90;
/** Largest book that a first page replays: about 5 s of two processors that also do other work. */
const MAX_REPLAYED = { subjects: 50_000, events: 500_000 };

/**
 * POST /policies/preview. The first page counts all subjects. Cursors carry the counts and the end
 * of the window, so that all pages agree.
 */
export async function previewPolicy(
  deps: PreviewDeps,
  owner: Owner,
  body: z.output<typeof PreviewBody>,
): Promise<PolicyPreview> {
  const { db } = deps;
  const { condition, userId = null, limit } = body;
  const start = startOf(body, owner, deps.clock.now());
  const { platformId, livemode } = owner;
  const from = new Date((dayOf(start.to) - WINDOW_DAYS + 1) * DAY_MS);
  const subjectId = userId === null ? null : await knownSubjectId(deps, owner, userId);
  const isCounting = start.isFirst && (subjectId !== null || (await isCountable(deps, owner)));
  const book = { platformId, livemode, condition, from, to: start.to, subjectId };
  const walk = { after: start.after, limit, isCounting };
  const { matches, next, ...walked } = await walkBook(db, book, walk);
  const counts = start.isFirst ? walked.counts : start.counts;
  return {
    condition,
    userId,
    window: { from, to: start.to, days: WINDOW_DAYS },
    counts,
    aggregationSkipped: counts ? null : 'population_too_large',
    subjects: matches,
    nextCursor: next === null ? null : cursorOf(body, owner, { to: start.to, after: next, counts }),
  };
}

async function knownSubjectId({ db }: PreviewDeps, owner: Owner, userId: string): Promise<string> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  return (await hasSubject(db, subjectId)) ? subjectId : fail('USER_NOT_FOUND');
}

async function isCountable({ config, db }: PreviewDeps, { platformId, livemode }: Owner): Promise<boolean> {
  const max = Math.min(config.bookSummaryMax, MAX_REPLAYED.subjects);
  const { subjects, events } = await sizeOfBook(db, platformId, livemode, max + 1);
  return subjects <= max && events <= MAX_REPLAYED.events;
}
