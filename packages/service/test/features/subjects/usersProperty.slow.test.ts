import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOf } from '#domain/points.js';
import { engines } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { type BookRow, findSubjects } from '../../../src/features/subjects/users/book.js';
import { bookPage } from '../../../src/features/subjects/users/bookStore.js';
import { type BookEntry, BookQuery } from '../../../src/features/subjects/users/schemas.js';
import {
  type BookAsk,
  expectedBook,
  expectedSummary,
  randomAsk,
  randomBook,
  type Subject,
  writeBook,
} from './bookModel.js';

const EXPORT_MAX = 10;
const SUMMARY_MAX = 20;

describe.each(engines)('random books on %s', (engine) => {
  const env = { BOOK_EXPORT_MAX_ROWS: String(EXPORT_MAX), BOOK_SUMMARY_MAX: String(SUMMARY_MAX) };
  const service = givenService(engine, { env });

  const ask = (path: string, query: BookAsk) =>
    service.request('GET', `${path}?${new URLSearchParams(query)}`, { key: service.testKey });
  const idOf = (subject: Subject) => subjectIdOf(service.platformId, false, subject.externalId);

  const holds = (meets: (book: Subject[], query: BookAsk) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(
        randomBook,
        fc.array(randomAsk, { minLength: 6, maxLength: 6 }),
        async (book, queries) => {
          await writeBook(service.db, service.platformId, book);
          for (const query of queries) await meets(book, query);
        },
      ),
      { numRuns: 30, endOnFailure: true },
    );

  test('pages of any filters and order are those of a plain model, without gap or repeat', () =>
    holds(async (book, query) => {
      const { limit, ...filters } = query;
      const options = {
        key: service.testKey,
        limit: Number(limit),
        query: `&${new URLSearchParams(filters)}`,
      };
      const walked = await everyPage<BookEntry>(service, '/users', 'users', options);
      for (const { verificationDepth, verifiedEventCount, eventCount } of walked)
        expect(verificationDepth).toBe(shareOf(verifiedEventCount, eventCount));
      const expected = expectedBook(book, query, idOf);
      expect(walked.map(({ externalId }) => externalId)).toEqual(
        expected.map(({ externalId }) => externalId),
      );
    }));

  test('all read plans return the same rows', () =>
    holds(async (book, query) => {
      const { platformId } = service;
      const filters = BookQuery.parse(query);
      const { sort, order } = filters;
      const direction = order ?? (sort === 'score' || sort === 'lastActivity' ? 'desc' : 'asc');
      const slice = { platformId, livemode: false, filters, sort, direction, after: null, limit: 1000 };
      const expected = expectedBook(book, query, idOf).map(idOf);
      const found = await findSubjects(service.db, slice);
      for (const plan of ['walk', 'sort', ...(found ? [found] : [])] as const) {
        const { text, values } = bookPage(slice, plan);
        const rows = await service.db.query<BookRow>(text, values, { isUncached: true });
        expect(rows.map((row) => row.subjectId)).toEqual(expected);
      }
    }));

  test('the summary is that of a plain model, distribution left out past the limit', () =>
    holds(async (book, query) => {
      const { status, body } = await ask('/users/summary', query);
      expect(status).toBe(200);
      expect(body).toEqual(expectedSummary(book, query, SUMMARY_MAX));
    }));

  test('CSV holds the first rows of the same order up to its cap, and says when there are more', () =>
    holds(async (book, query) => {
      const { text } = await ask('/users', { ...query, format: 'csv' });
      const expected = expectedBook(book, query, idOf);
      const lines = text.trimEnd().split('\r\n').slice(1);
      const names = expected.slice(0, EXPORT_MAX).map(({ externalId }) => externalId);
      const isCut = expected.length > EXPORT_MAX;
      expect(lines.map((line) => line.split(',')[0]?.replace(/^'/, ''))).toEqual([
        ...names,
        ...(isCut ? ['# TRUNCATED'] : []),
      ]);
    }));
});
