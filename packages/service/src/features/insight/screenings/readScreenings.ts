import type { Readable } from 'node:stream';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { type CsvColumn, csvHeaders, csvStream } from '#kit/csv.js';
import type { Queryable } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import { ok, type ReadonlyDeep, type TypedAnswer } from '#kit/http/answer.js';
import { encodeCursor, positionOf } from '#kit/http/cursor.js';
import type { Owner } from '#kit/http/route.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import {
  type Finding,
  MAX_USERS,
  type ResultsPage,
  type ResultsQuery,
  type Screening,
  type ScreeningDeps,
  type ScreeningPage,
  type ScreeningQuery,
  screeningCompleted,
} from './screening.js';
import { failScreening, findStaleScreenings, readChunks, screenings } from './store.js';

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
  const found = await screenings.read(deps.db, owner, screeningId);
  const isInProgress = found.status === 'QUEUED' || found.status === 'RUNNING';
  if (!isInProgress || found.progressAt >= quietSince(deps)) return toScreening(found);
  await markStale(deps, owner, screeningId);
  return toScreening(await screenings.read(deps.db, owner, screeningId));
}

/** A page of screenings, newest first. Marks stale ones FAILED first, up to a thousand. */
export async function listScreenings(
  deps: ScreeningDeps,
  owner: Owner,
  query: ScreeningQuery,
): Promise<ScreeningPage> {
  const stale = await findStaleScreenings(deps.db, owner, quietSince(deps));
  for (const id of stale) await markStale(deps, owner, id);
  const { rows, nextCursor } = await screenings.newest(deps.db, owner, query, pick(query, 'status'));
  return { screenings: rows.map(toScreening), nextCursor };
}

function toScreening({ progressAt: _, ...screening }: Screening & { progressAt: Date }): Screening {
  return screening;
}

function quietSince({ clock, config }: ScreeningDeps): Date {
  return new Date(clock.now().getTime() - config.screeningStaleMinutes * MINUTE_MS);
}

/**
 * The UPDATE decides: it changes nothing if a worker made progress or another reader was faster.
 */
async function markStale(deps: ScreeningDeps, { platformId }: ModeOwner, screeningId: string): Promise<void> {
  const { db, clock, ids, wakes, config } = deps;
  const now = clock.now();
  const error = `The screening made no progress for ${config.screeningStaleMinutes} minutes. Create it again.`;
  await db.transaction(async (tx) => {
    const ended = { error, completedAt: now };
    const failed = await failScreening(tx, { platformId, jobId: screeningId }, ended, quietSince(deps));
    if (!failed) return;
    await writeEnvelopes(tx, ids, now, [
      screeningCompleted({ platformId, livemode: failed.livemode }, failed),
    ]);
  });
  wakes.raise('deliveries');
}

const CSV_PAGE_ROWS = 1000;
const ResultsCursor = z.tuple([z.int().min(1).max(MAX_USERS)]);

/** Results in the order of the request, including duplicates. */
export async function readResults(
  deps: ScreeningDeps,
  owner: Owner,
  screeningId: string,
  query: ResultsQuery,
): Promise<TypedAnswer<200, ReadonlyDeep<ResultsPage> | Readable>> {
  const screening = await readScreening(deps, owner, screeningId);
  if (screening.status !== 'COMPLETED') {
    fail('SCREENING_NOT_COMPLETED', {
      details: { status: screening.status },
      ...(screening.error !== null && { message: `The screening failed: ${screening.error}` }),
    });
  }
  const { db } = deps;
  const source = { db, platformId: owner.platformId, screeningId: screening.id };
  if (query.format === 'csv') return exportResults(source, screening.total);
  const [from] = positionOf(query.cursor, ResultsCursor) ?? [0];
  const results = await readRows(source, from, from + query.limit);
  const next = from + query.limit;
  return ok({ results, nextCursor: next < screening.total ? encodeCursor([next]) : null });
}

interface Source {
  readonly db: Queryable;
  readonly platformId: string;
  readonly screeningId: string;
}

type ResultRow = ResultsPage['results'][number];

async function readRows(
  { db, platformId, screeningId }: Source,
  from: number,
  before: number,
): Promise<ResultRow[]> {
  const chunks = await readChunks(db, { platformId, jobId: screeningId }, { from, before });
  return chunks.flatMap(({ firstIndex, userIds, results }) =>
    userIds
      .map((userId, index) => ({ position: firstIndex + index, row: rowOf(userId, results[index] ?? null) }))
      .filter(({ position }) => position >= from && position < before)
      .map(({ row }) => row),
  );
}

function rowOf(userId: string, finding: Finding): ResultRow {
  return {
    userId,
    found: finding !== null,
    finalScore: finding?.finalScore ?? null,
    scoreBand: finding?.scoreBand ?? null,
    confidence: finding?.confidence ?? null,
    verifiedEvents: finding?.verifiedEvents ?? null,
    computedAt: finding && new Date(finding.computedAt),
    frozen: finding?.frozen ?? null,
  };
}

function exportResults(source: Source, total: number): TypedAnswer<200, Readable> {
  async function* pages(): AsyncGenerator<ResultRow[]> {
    for (let from = 0; from < total; from += CSV_PAGE_ROWS) {
      const rows = await readRows(source, from, from + CSV_PAGE_ROWS);
      // Abort the download: an incomplete file must not look complete.
      if (rows.length < Math.min(CSV_PAGE_ROWS, total - from))
        throw new Error('the screening was deleted during its export');
      yield rows;
    }
  }
  return {
    status: 200,
    body: csvStream(CSV_COLUMNS, pages(), { maxRows: total }),
    headers: csvHeaders(`screening-${source.screeningId}.csv`),
  };
}

const CSV_COLUMNS: readonly CsvColumn<ResultRow>[] = [
  { name: 'userId', value: (row) => row.userId },
  { name: 'found', value: (row) => row.found },
  { name: 'finalScore', value: (row) => row.finalScore },
  { name: 'scoreBand', value: (row) => row.scoreBand },
  { name: 'confidence', value: (row) => row.confidence },
  { name: 'verifiedEvents', value: (row) => row.verifiedEvents },
  { name: 'computedAt', value: (row) => row.computedAt },
  { name: 'frozen', value: (row) => row.frozen },
];
