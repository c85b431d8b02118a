import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.js';
import { type Output, progressBar } from '../../kit/progressBar.js';
import { type Book, makeBook } from './book.js';
import { DemoError } from './demoError.js';
import { type DemoPlatform, joinPlatform } from './joinPlatform.js';
import { demoPlatforms } from './platforms.js';
import { recordBook } from './recordBook.js';
import { reportText, type ScoreState } from './report.js';

interface DemoOptions {
  url: string;
  adminSecret: string;
  clock: Clock;
  output: Output;
}

/**
 * Seeds the book through the public API and prints what to look at. Every event has an item key and a platform is known by
 * its name, so a repetition adds nothing. Throws DemoError.
 */
export async function runDemo({ url, adminSecret, clock, output }: DemoOptions): Promise<void> {
  const say = (line: string) => output.write(`${line}\n`);
  const today = new Date(clock.now().toISOString().slice(0, 10));
  const buckets: FacetBucket[] = [];
  for (const plan of demoPlatforms) {
    const platform = await joinPlatform(url, adminSecret, plan);
    buckets.push({ platform, book: makeBook(plan, today) });
  }
  const total = buckets.reduce((sum, { book }) => sum + book.events.length, 0);
  say(
    `A year in the life of ${subjectCount(buckets)} people on ${buckets.length} platforms: ${total} outcomes.`,
  );
  const bar = progressBar(output, total);
  let created = 0;
  for (const { platform, book } of buckets)
    created += await recordBook(platform, book, (done) => bar.advance(done));
  bar.end();
  say(created === 0 ? 'All of it was there already, nothing was added.' : `${created} outcomes recorded.`);
  await untilScored(buckets);
  say(reportText(url, await standingsOf(buckets)));
}

interface FacetBucket {
  platform: DemoPlatform;
  book: Book;
}

function subjectCount(buckets: readonly FacetBucket[]): number {
  return buckets.reduce((sum, { book }) => sum + book.eventCounts.size, 0);
}

const SCORE_LIMIT_MS = 120_000;

/** Scores follow the ledger within moments; wait until they count everything. */
async function untilScored(buckets: readonly FacetBucket[]): Promise<void> {
  const until = Date.now() + SCORE_LIMIT_MS;
  for (const { platform, book } of buckets) {
    while (!(await isScored(platform, book))) {
      if (Date.now() > until) throw new DemoError('The scores do not follow. Does a worker (ROLE) run?');
      await pause(200);
    }
  }
}

async function isScored(platform: DemoPlatform, { eventCounts }: Book): Promise<boolean> {
  const counted = await platform.countedEvents();
  return [...eventCounts].every(([userId, count]) => (counted.get(userId) ?? 0) >= count);
}

async function standingsOf(buckets: readonly FacetBucket[]): Promise<ScoreState[]> {
  const standings: ScoreState[] = [];
  for (const { platform, book } of buckets) {
    for (const { userId, name, about } of book.spotlights) {
      const score = await platform.score(userId);
      standings.push({ userId, name, about, platform: platform.name, key: platform.key, ...score });
    }
  }
  return standings.sort((a, b) => b.finalScore - a.finalScore);
}
