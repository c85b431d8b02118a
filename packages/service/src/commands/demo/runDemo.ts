import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.js';
import { type Output, progressBar } from '../../kit/progressBar.js';
import { CommandError } from '../commandError.js';
import { type Book, makeBook } from './book.js';
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
 * Loads the sample data through the public API and prints where to look. Events have item keys and
 * platforms are found by name, so a second run adds nothing. Throws CommandError.
 */
export async function runDemo({ url, adminSecret, clock, output }: DemoOptions): Promise<void> {
  const say = (line: string) => output.write(`${line}\n`);
  const today = new Date(clock.now().toISOString().slice(0, 10));
  const samples: SampleData[] = [];
  for (const plan of demoPlatforms) {
    const platform = await joinPlatform(url, adminSecret, plan);
    samples.push({ platform, book: makeBook(plan, today) });
  }
  const total = samples.reduce((sum, { book }) => sum + book.events.length, 0);
  say(
    `Loading one year of ${subjectCount(samples)} people on ${samples.length} platforms: ${total} outcomes.`,
  );
  const bar = progressBar(output, total);
  const advance = (rows: number) => bar.advance(rows);
  const counts = await Promise.all(samples.map(({ platform, book }) => recordBook(platform, book, advance)));
  const created = counts.reduce((sum, count) => sum + count, 0);
  bar.end();
  say(
    created === 0
      ? 'All outcomes were already recorded. Nothing was added.'
      : `${created} outcomes recorded.`,
  );
  await untilScored(samples);
  say(reportText(url, await scoresOf(samples)));
}

interface SampleData {
  platform: DemoPlatform;
  book: Book;
}

function subjectCount(samples: readonly SampleData[]): number {
  return samples.reduce((sum, { book }) => sum + book.eventCounts.size, 0);
}

const SCORE_LIMIT_MS = 120_000;

/** Waits until the scores count all events. */
async function untilScored(samples: readonly SampleData[]): Promise<void> {
  const until = Date.now() + SCORE_LIMIT_MS;
  for (const { platform, book } of samples) {
    while (!(await isScored(platform, book))) {
      if (Date.now() > until)
        throw new CommandError(
          `Scores were not computed within ${SCORE_LIMIT_MS / 1000} s. Check that a process with ROLE=worker or ROLE=all runs.`,
        );
      await pause(200);
    }
  }
}

async function isScored(platform: DemoPlatform, { eventCounts }: Book): Promise<boolean> {
  const counted = await platform.countedEvents();
  return [...eventCounts].every(([userId, count]) => (counted.get(userId) ?? 0) >= count);
}

async function scoresOf(samples: readonly SampleData[]): Promise<ScoreState[]> {
  const scores: ScoreState[] = [];
  for (const { platform, book } of samples) {
    for (const { userId, name, about } of book.spotlights) {
      const score = await platform.score(userId);
      const riskLevel = await platform.riskLevel(userId);
      scores.push({ userId, name, about, platform: platform.name, key: platform.key, ...score, riskLevel });
    }
  }
  return scores.sort((a, b) => b.finalScore - a.finalScore);
}
