import { choosePage } from '../../packages/service/src/features/subjects/users/book.js';
import type { BookSlice } from '../../packages/service/src/features/subjects/users/bookSegment.js';
import { type BookListing, BookQuery } from '../../packages/service/src/features/subjects/users/schemas.js';
import type { Bench } from './kit/bench.js';
import { type Figure, type Line, type Measured, Samples, tenth, whole } from './kit/figure.js';
import { combinedFilters, deepFilters, orders, searches, singleFilters } from './kit/seed/bookQueries.js';
import { copyBook } from './kit/seed/copyBook.js';
import { type SeededBook, seedBook } from './kit/seed/seedBook.js';
import { LIVE_KEY, type Server, startService } from './kit/server.js';
import { openHome } from './kit/watched.js';
import { bookSetting, timeSubjectReads } from './subjectReads.js';

const SMALL = { subjects: 100_000, events: 500_000, neighbours: 3 };
const LARGE = { subjects: 1_000_000, events: 5_000_000, neighbours: 3 };
const PAGE = 50;
const DEEP_PAGE = 1_000;
const REPEATS = 9;
/** Ratio of a page's time when the book grows tenfold. */
const MAX_GROWTH = 1.5;
const MAX_SEARCH_MS = 30;

/** Any page of a book of a million subjects, over HTTP, and its growth from a book of 100 000. */
export const book: Figure = { name: 'book', measure };

async function measure(bench: Bench): Promise<Measured> {
  const small = await openBook(bench, SMALL);
  const large = await openBook(bench, LARGE);
  try {
    const single = await timed(bench, 'one filter', small, large, firstPages(singleFilters));
    const combined = await timed(bench, 'combined filters', small, large, firstPages(combinedFilters));
    const deep = await timed(bench, `page ${DEEP_PAGE}`, small, large, await deepPages(small, large));
    const summaries = [...singleFilters, ...combinedFilters].map((filter) =>
      same(`/users/summary?${filter}`),
    );
    const summed = await timed(bench, 'summaries', small, large, summaries);
    const found = await timed(bench, 'searches', small, large, firstPages(searches));
    const reads = await timeSubjectReads(large.server, bookSetting(LARGE), bench.say);
    const lines = [
      ...linesOf('first page, one filter', single, 8),
      ...linesOf('first page, combined filters', combined, 8),
      ...linesOf(`page ${DEEP_PAGE}`, deep, 8),
      // A summary counts every subject that matches, so it grows with the book. Only its time has a target.
      ...linesOf('summary', summed, 300).slice(0, 1),
      ...linesOf('search', found, MAX_SEARCH_MS).slice(0, 1),
      ...(await embeddedSearches(bench, large)),
      ...reads,
    ];
    return { lines, appendix: await heaviestPlan(large, [...single, ...combined, ...deep]) };
  } finally {
    await small.server.stop();
    await large.server.stop();
  }
}

/** The same book on the embedded engine. */
async function embeddedSearches(bench: Bench, large: OpenBook): Promise<Line[]> {
  const home = bench.embedded();
  await (await startService(home)).stop(); // creates the tables and the platform
  const db = await openHome(home);
  const { databaseUrl, seeded } = large;
  await copyBook({ databaseUrl, platformId: seeded.platformId }, db, bench.say);
  await db.close();
  const server = await startService(home);
  try {
    const embedded = { ...large, server };
    const found = await timed(bench, 'searches, embedded', embedded, embedded, firstPages(searches));
    const setting = bookSetting(LARGE).replace('PostgreSQL', 'PGlite');
    return linesOf('search', found, MAX_SEARCH_MS, setting).slice(0, 1);
  } finally {
    await server.stop();
    home.drop();
  }
}

interface OpenBook {
  readonly seeded: SeededBook;
  readonly databaseUrl: string;
  readonly server: Server;
}

async function openBook(bench: Bench, sizes: typeof SMALL): Promise<OpenBook> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the tables and the platform
  let batches = 0;
  const seeded = await seedBook(home.databaseUrl, sizes, (line) => {
    batches += 1;
    if (batches % 4 === 0) bench.say(line);
  });
  bench.say(
    `  ${whole(seeded.subjects)} subjects, ${whole(seeded.events)} events in ${whole(seeded.seconds)} s`,
  );
  return {
    seeded,
    databaseUrl: home.databaseUrl,
    server: await startService(home, { worker: 'none' }),
  };
}

/** One request in two versions, one for each book, because cursors differ. */
interface Ask {
  readonly small: string;
  readonly large: string;
}

interface Timing {
  readonly ask: Ask;
  readonly small: Samples;
  readonly large: Samples;
}

function same(path: string): Ask {
  return { small: path, large: path };
}

function firstPages(filters: readonly string[]): Ask[] {
  return filters.flatMap((filter) => orders.map((order) => same(`/users?${filter}&${order}&limit=${PAGE}`)));
}

async function deepPages(small: OpenBook, large: OpenBook): Promise<Ask[]> {
  const asks: Ask[] = [];
  for (const filter of deepFilters) {
    for (const order of orders) {
      const path = `/users?${filter}&${order}`;
      asks.push({ small: await turnTo(small, path), large: await turnTo(large, path) });
    }
  }
  return asks;
}

/** The address of page 1000, reached by pages of the maximum length. */
async function turnTo({ server }: OpenBook, path: string): Promise<string> {
  let rowsLeft = (DEEP_PAGE - 1) * PAGE;
  let cursor = '';
  while (rowsLeft > 0) {
    const limit = Math.min(1_000, rowsLeft);
    const page = (await get(server, `${path}&limit=${limit}${cursor}`)) as { nextCursor: string | null };
    if (page.nextCursor === null) throw new Error(`${path} has no page ${DEEP_PAGE}`);
    cursor = `&cursor=${page.nextCursor}`;
    rowsLeft -= limit;
  }
  return `${path}&limit=${PAGE}${cursor}`;
}

/** Alternates between the books, so that a slow machine slows both. */
async function timed(
  bench: Bench,
  name: string,
  small: OpenBook,
  large: OpenBook,
  asks: readonly Ask[],
): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const ask of asks) {
    const timing = { ask, small: new Samples(), large: new Samples() };
    for (let repeat = -1; repeat < REPEATS; repeat += 1) {
      const smallMs = await msOf(small.server, ask.small);
      const largeMs = await msOf(large.server, ask.large);
      if (repeat < 0) continue; // both warm up once
      timing.small.add(smallMs);
      timing.large.add(largeMs);
    }
    timings.push(timing);
  }
  bench.say(`  ${name}: ${timings.length} requests, median ${tenth(medianOf(timings))} ms`);
  return timings;
}

async function msOf(server: Server, path: string): Promise<number> {
  const startedAt = performance.now();
  await get(server, path);
  return performance.now() - startedAt;
}

async function get({ url }: Server, path: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${LIVE_KEY}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function medianOf(timings: readonly Timing[]): number {
  const medians = new Samples();
  for (const { large } of timings) medians.add(large.median);
  return medians.median;
}

/** The slowest request by its median, and the growth over all requests. */
function linesOf(
  what: string,
  timings: readonly Timing[],
  limitMs: number,
  setting = bookSetting(LARGE),
): Line[] {
  const [slowest] = bySlowest(timings);
  if (!slowest) return [];
  const growth = new Samples();
  for (const { small, large } of timings) growth.add(large.median / small.median);
  const past = timings.filter(({ small, large }) => large.median / small.median >= MAX_GROWTH).length;
  return [
    {
      what: `GET ${pathOf(slowest)}: slowest of ${timings.length} (${what})`,
      setting,
      value: slowest.large.milliseconds(),
      baseline: `median of all ${tenth(medianOf(timings))} ms`,
      measure: slowest.large.median,
      unit: 'ms',
      target: { under: limitMs },
    },
    {
      what: `growth from ${whole(SMALL.subjects)} subjects, median of ${timings.length} (${what})`,
      setting,
      value: `median ${growth.median.toFixed(2)}, 95th percentile ${growth.percentile(95).toFixed(2)}, maximum ${growth.max.toFixed(2)}; ${past} requests at ${MAX_GROWTH} or more`,
      baseline: `the same ${timings.length} requests on the smaller book`,
      measure: growth.median,
      unit: 'ratio',
      target: { under: MAX_GROWTH },
    },
  ];
}

function bySlowest(timings: readonly Timing[]): Timing[] {
  return [...timings].sort((a, b) => b.large.median - a.large.median);
}

function pathOf({ ask }: Timing): string {
  return ask.large.replace(/&cursor=.*/, '&cursor=…').replace('?&', '?');
}

/** `explain analyze` of the heaviest page. */
async function heaviestPlan({ databaseUrl, seeded }: OpenBook, timings: readonly Timing[]): Promise<string> {
  const [heaviest] = bySlowest(timings);
  if (!heaviest) return '';
  const db = await openHome({ databaseUrl });
  const [, query = ''] = heaviest.ask.large.split('?');
  const { text, values } = await choosePage(db, sliceOf(seeded.platformId, BookQuery.parse(paramsOf(query))));
  const rows = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values);
  await db.close();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return `Plan of the heaviest page, \`${pathOf(heaviest)}\`:\n\n\`\`\`\n${plan}\n\`\`\`\n`;
}

function paramsOf(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

function sliceOf(platformId: string, query: BookListing): BookSlice {
  const { sort, order: direction = 'asc', limit } = query;
  return {
    platformId,
    livemode: true,
    filters: query,
    sort,
    direction,
    after: afterOf(query),
    limit: limit + 1,
  };
}

function afterOf({ cursor }: BookListing): BookSlice['after'] {
  if (cursor === undefined) return null;
  const [, , value, subjectId] = JSON.parse(
    Buffer.from(cursor.split('.', 1)[0] ?? '', 'base64url').toString('utf8'),
  );
  return { value, subjectId };
}
