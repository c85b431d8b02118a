import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { type CsvColumn, csvHeaders, csvStream } from '../../../kit/csv.js';
import type { Queryable } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { encodeCursor, positionOf } from '../../../kit/http/cursor.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { ScreeningDeps } from './deps.js';
import { loadScreening } from './lockScreening.js';
import { MAX_USERS, type ResultsQuery, type screeningPath } from './schemas.js';
import type { Finding } from './screening.js';
import { readChunks } from './store.js';

const CSV_PAGE_ROWS = 1000;
const ResultsCursor = z.tuple([z.int().min(1).max(MAX_USERS)]);

/** GET /screenings/{id}/results: in the order of the request, repeats included. */
export async function readResults(
  deps: ScreeningDeps,
  {
    caller,
    params,
    query,
  }: RequestContext<KeyAccess, undefined, z.output<typeof ResultsQuery>, z.output<typeof screeningPath>>,
): Promise<Answer> {
  const screening = await loadScreening(deps, caller, params.id);
  if (screening.status !== 'COMPLETED') {
    fail('SCREENING_NOT_COMPLETED', {
      details: { status: screening.status },
      ...(screening.error !== null && { message: `The screening failed: ${screening.error}` }),
    });
  }
  const { db } = deps;
  const source = { db, platformId: caller.platformId, screeningId: screening.id };
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

type ResultRow = Awaited<ReturnType<typeof readRows>>[number];

async function readRows({ db, platformId, screeningId }: Source, from: number, before: number) {
  const chunks = await readChunks(db, { platformId, screeningId }, { from, before });
  return chunks.flatMap(({ firstPlace, userIds, results }) =>
    userIds
      .map((userId, index) => ({ place: firstPlace + index, row: rowOf(userId, results[index] ?? null) }))
      .filter(({ place }) => place >= from && place < before)
      .map(({ row }) => row),
  );
}

function rowOf(userId: string, finding: Finding) {
  return {
    userId,
    found: finding !== null,
    finalScore: finding?.finalScore ?? null,
    scoreBand: finding?.scoreBand ?? null,
    confidence: finding?.confidence ?? null,
    verifiedEvents: finding?.verifiedEvents ?? null,
    computedAt: finding?.computedAt ?? null,
    frozen: finding?.frozen ?? null,
  };
}

function exportResults(source: Source, total: number): Answer {
  async function* pages(): AsyncGenerator<ResultRow[]> {
    for (let from = 0; from < total; from += CSV_PAGE_ROWS) {
      const rows = await readRows(source, from, from + CSV_PAGE_ROWS);
      // Broken off rather than ended short: a file that looks whole must be whole.
      if (rows.length < Math.min(CSV_PAGE_ROWS, total - from))
        throw new Error('a screening went away while it was read');
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
