import { type Day, dayOf } from '@reliability/scoring';
import {
  type Backtest,
  type BacktestOptions,
  createBacktest,
  cutoffsOf,
  type OtherFormula,
} from '#domain/backtest/backtest.js';
import type { BacktestReport } from '#domain/backtest/report.js';
import type { BacktestEvent } from '#domain/backtest/subjectFold.js';
import type { SubjectType } from '#domain/catalogues/enums.js';
import type { YieldTurn } from '#kit/backpressure/yielder.js';
import type { Queryable } from '#kit/db/database.js';
import { platformIdsOf } from '#ledger/groups/platforms.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';

async function countEvents(db: Queryable, { platformId, livemode }: ModeOwner): Promise<number> {
  const [row] = await db.query<{ events: number }>(
    'select coalesce(sum(event_count), 0)::bigint as events from subject where platform_id = $1 and livemode = $2',
    [platformId, livemode],
  );
  return row?.events ?? 0;
}

/** When the platform's first event was recorded. */
async function findFirstRecording(db: Queryable, { platformId, livemode }: ModeOwner): Promise<Date | null> {
  const [row] = await db.query<{ createdAt: Date }>(
    'select created_at from event where platform_id = $1 and livemode = $2 order by event_id limit 1',
    [platformId, livemode],
  );
  return row?.createdAt ?? null;
}

/** The day of the first outcome of these subjects. */
async function findFirstOutcome(db: Queryable, subjectIds: readonly string[]): Promise<Day | null> {
  const [row] = await db.query<{ day: Day | null }>(
    'select min(day) as day from tally where subject_id = any($1::uuid[]) and count > 0',
    [subjectIds],
  );
  return row?.day ?? null;
}

interface SubjectOfBook {
  readonly subjectId: string;
  readonly externalId: string;
  readonly subjectType: SubjectType;
  readonly eventCount: number;
}

/** The next subjects by external id, which the index of the book has in order. */
export function findSubjects(
  db: Queryable,
  { platformId, livemode }: ModeOwner,
  afterExternalId: string,
  limit: number,
): Promise<SubjectOfBook[]> {
  return db.query(
    `select subject_id, external_id, subject_type, event_count from subject
     where platform_id = $1 and livemode = $2 and external_id > $3 order by external_id limit $4`,
    [platformId, livemode, afterExternalId, limit],
  );
}

type EventOfSubject = BacktestEvent & { readonly subjectId: string };

/** Only what a backtest needs: a million rows pass through. */
const COLUMNS = `subject_id, event_id, event_type, stake_level, platform_tier, is_verified, created_at, completed_at, due_date,
  dispute_id, closes_event_id`;

/** All events of these subjects, each subject's in the order of recording. */
export function readEventsOf(db: Queryable, subjectIds: readonly string[]): Promise<EventOfSubject[]> {
  return db.query(
    `select ${COLUMNS} from event where subject_id = any($1::uuid[]) order by subject_id, event_id`,
    [subjectIds],
  );
}

/** The next events of one subject, a range of the primary key: ids are in the order of recording. */
function readNextEvents(
  db: Queryable,
  subjectId: string,
  afterEventId: string,
  limit: number,
): Promise<(EventOfSubject & { readonly eventId: string })[]> {
  return db.query(
    `select ${COLUMNS} from event where subject_id = $1 and event_id > $2 order by event_id limit $3`,
    [subjectId, afterEventId, limit],
  );
}

interface BacktestRun {
  /** Null: every platform. */
  readonly platformId: string | null;
  readonly livemode: boolean;
  readonly options: BacktestOptions;
  readonly now: Date;
  /** Compare the published formula with other constants. */
  readonly other?: OtherFormula;
  /** Awaited after each page. */
  onProgress?(doneEvents: number, totalEvents: number): Promise<void> | void;
  readonly yieldTurn?: YieldTurn;
  readonly until?: AbortSignal;
}

const PAGE_SUBJECTS = 500;
/** Subjects share a statement up to this many events; a longer ledger is read in pages of this size. */
const PAGE_EVENTS = 1000;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Compares the scores of a ledger with the outcomes that followed them (RULES B7). It only reads, page by
 * page without a lasting transaction, and its memory is bounded by the longest history of one subject in
 * days, not in events. Null: `until` was aborted.
 */
export async function runBacktest(
  groups: readonly Queryable[],
  run: BacktestRun,
): Promise<BacktestReport | null> {
  const { options, now, other = null, until } = run;
  const today = dayOf(now);
  const books = await booksOf(groups, run);
  const progress = await startProgress(books, run);
  const cutoffs = cutoffsOf(options, await firstEventOn(books, options), today);
  const backtest = createBacktest({ options, cutoffs, today, other });
  for (const book of books) {
    for await (const page of subjectPages(book)) {
      for (const group of groupsOf(page)) {
        await takeGroup(book.db, backtest, group, run);
        if (until?.aborted) return null;
        await progress(group);
      }
    }
  }
  return backtest.report();
}

/** The data of one platform, and where it is. */
type Book = ModeOwner & { readonly db: Queryable };

async function booksOf(groups: readonly Queryable[], { platformId, livemode }: BacktestRun): Promise<Book[]> {
  const books: Book[] = [];
  for (const db of groups) {
    const ids = platformId === null ? await platformIdsOf(db) : [platformId];
    books.push(...ids.map((id) => ({ platformId: id, livemode, db })));
  }
  return books;
}

type Progress = (group: readonly SubjectOfBook[]) => Promise<void>;

async function startProgress(books: readonly Book[], { onProgress }: BacktestRun): Promise<Progress> {
  if (!onProgress) return async () => undefined;
  let total = 0;
  for (const book of books) total += await countEvents(book.db, book);
  let done = 0;
  return async (group) => {
    done = Math.min(total, done + eventsIn(group));
    await onProgress(done, total);
  };
}

function eventsIn(group: readonly SubjectOfBook[]): number {
  return group.reduce((sum, { eventCount }) => sum + eventCount, 0);
}

/** The first cut-off follows from it, unless one was asked for. */
async function firstEventOn(books: readonly Book[], { by, from }: BacktestOptions): Promise<Day | null> {
  if (from !== null) return null;
  let first = Number.POSITIVE_INFINITY;
  for (const book of books) {
    if (by === 'recorded') {
      const recordedAt = await findFirstRecording(book.db, book);
      if (recordedAt) first = Math.min(first, dayOf(recordedAt));
      continue;
    }
    for await (const page of subjectPages(book)) {
      const ids = page.map(({ subjectId }) => subjectId);
      first = Math.min(first, (await findFirstOutcome(book.db, ids)) ?? first);
    }
  }
  return Number.isFinite(first) ? first : null;
}

async function* subjectPages(book: Book): AsyncGenerator<SubjectOfBook[]> {
  let after = '';
  for (;;) {
    const page = await findSubjects(book.db, book, after, PAGE_SUBJECTS);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_SUBJECTS) return;
    after = last.externalId;
  }
}

function groupsOf(page: readonly SubjectOfBook[]): SubjectOfBook[][] {
  const groups: SubjectOfBook[][] = [];
  let room = 0;
  for (const subject of page) {
    if (subject.eventCount === 0) continue;
    const group = groups.at(-1);
    if (group && subject.eventCount <= room) {
      group.push(subject);
      room -= subject.eventCount;
    } else {
      groups.push([subject]);
      room = PAGE_EVENTS - subject.eventCount;
    }
  }
  return groups;
}

async function takeGroup(
  db: Queryable,
  backtest: Backtest,
  group: readonly SubjectOfBook[],
  { yieldTurn, until }: BacktestRun,
): Promise<void> {
  const [first] = group;
  if (first && first.eventCount > PAGE_EVENTS)
    return takeLongLedger(db, backtest, first, { yieldTurn, until });
  const events = await readEventsOf(
    db,
    group.map(({ subjectId }) => subjectId),
  );
  const types = new Map(group.map(({ subjectId, subjectType }) => [subjectId, subjectType]));
  for (let from = 0; from < events.length; ) {
    const { subjectId = '' } = events[from] ?? {};
    const fold = backtest.fold();
    for (; events[from]?.subjectId === subjectId; from += 1) fold.add(events[from] as EventOfSubject);
    backtest.take(subjectId, types.get(subjectId) ?? 'PERSON', fold);
    await yieldTurn?.();
  }
}

async function takeLongLedger(
  db: Queryable,
  backtest: Backtest,
  { subjectId, subjectType }: SubjectOfBook,
  { yieldTurn, until }: Pick<BacktestRun, 'yieldTurn' | 'until'>,
): Promise<void> {
  const fold = backtest.fold();
  for (let after = LOWEST_ID; !until?.aborted; ) {
    const events = await readNextEvents(db, subjectId, after, PAGE_EVENTS);
    for (const event of events) fold.add(event);
    const last = events.at(-1);
    if (!last || events.length < PAGE_EVENTS) break;
    after = last.eventId;
    await yieldTurn?.();
  }
  backtest.take(subjectId, subjectType, fold);
}
