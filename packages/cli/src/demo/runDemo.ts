import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { progressBar } from '../../../service/src/kit/terminal.js';
import { CommandError } from '../commandError.js';
import type { Output } from '../output.js';
import { type Book, makeBook } from './book.js';
import { type DemoPlatform, joinPlatform } from './joinPlatform.js';
import { demoPlatforms } from './platforms.js';
import { recordBook } from './recordBook.js';
import { type Link, reportLines, type ScoreState } from './report.js';

interface DemoOptions {
  url: string;
  adminSecret: string;
  now: Date;
  output: Output;
  /** Where the report is written. Null: nowhere. */
  folder: string | null;
}

/**
 * Loads the sample data through the public API and prints where to look. Events have item keys and
 * platforms are found by name, so a second run adds nothing. Throws CommandError.
 */
export async function runDemo({ url, adminSecret, now, output, folder }: DemoOptions): Promise<void> {
  const today = new Date(now.toISOString().slice(0, 10));
  const samples: SampleData[] = [];
  for (const plan of demoPlatforms) {
    const platform = await joinPlatform(url, adminSecret, plan);
    samples.push({ platform, book: makeBook(plan, today) });
  }
  const total = samples.reduce((sum, { book }) => sum + book.events.length, 0);
  const people = samples.reduce((sum, { book }) => sum + book.eventCounts.size, 0);
  const what = `one year of ${people} people on ${samples.length} platforms, ${total} outcomes`;
  const isThere = await areScored(samples);
  if (isThere) output.say(`The sample data is there already: ${what}. Nothing was added.`);
  else await load(samples, what, total, output);
  const subjects = await scoresOf(samples);
  const links = [...consoleLinks(url, samples), ...(await linksOf(samples, subjects, folder))];
  output.result({ url, isThere, outcomes: total, subjects, links }, reportLines(url, subjects, links));
}

interface SampleData {
  platform: DemoPlatform;
  book: Book;
}

async function load(
  samples: readonly SampleData[],
  what: string,
  total: number,
  output: Output,
): Promise<void> {
  output.say(`Loading ${what}.`);
  const bar = progressBar(output.progress, total);
  const advance = (rows: number) => bar.advance(rows);
  const counts = await Promise.all(samples.map(({ platform, book }) => recordBook(platform, book, advance)));
  bar.end();
  output.say(`${counts.reduce((sum, count) => sum + count, 0)} outcomes recorded.`);
  await untilScored(samples);
}

const SCORE_LIMIT_MS = 120_000;

async function untilScored(samples: readonly SampleData[]): Promise<void> {
  const until = Date.now() + SCORE_LIMIT_MS;
  while (!(await areScored(samples))) {
    if (Date.now() > until)
      throw new CommandError(
        `Scores were not computed within ${SCORE_LIMIT_MS / 1000} s. Check that a process with ROLE=worker or ROLE=all runs.`,
      );
    await pause(200);
  }
}

/** Whether the scores count all events. */
async function areScored(samples: readonly SampleData[]): Promise<boolean> {
  for (const { platform, book } of samples) {
    const counted = await platform.countedEvents();
    const isScored = [...book.eventCounts].every(([userId, count]) => (counted.get(userId) ?? 0) >= count);
    if (!isScored) return false;
  }
  return true;
}

async function scoresOf(samples: readonly SampleData[]): Promise<ScoreState[]> {
  const scores: ScoreState[] = [];
  for (const { platform, book } of samples) {
    for (const { userId, name, about } of book.spotlights) {
      const { finalScore, scoreBand, confidence } = await platform.client.score(userId);
      const { level: riskLevel } = await platform.client.readRisk(userId);
      const { name: platformName, key } = platform;
      scores.push({
        userId,
        name,
        about,
        platform: platformName,
        key,
        finalScore,
        scoreBand,
        confidence,
        riskLevel,
      });
    }
  }
  return scores.sort((a, b) => b.finalScore - a.finalScore);
}

/** The part behind # signs in and is not sent. The key is of the demo alone and expires. */
function consoleLinks(url: string, samples: readonly SampleData[]): Link[] {
  return samples.map(({ platform: { name, key } }) => ({
    title: `The console of ${name}, signed in`,
    url: `${url}/console#sign-in=${key}`,
  }));
}

/** Pages to open in a browser. */
async function linksOf(
  samples: readonly SampleData[],
  subjects: readonly ScoreState[],
  folder: string | null,
): Promise<Link[]> {
  const [best] = subjects;
  const client = samples.find(({ platform }) => platform.name === best?.platform)?.platform.client;
  if (!best || !client) return [];
  const { verifyUrl } = await client.createShareToken(best.userId);
  const { confirmUrl } = await client.createConfirmation({
    userId: best.userId,
    eventType: 'CONTRACT_FULFILLED',
    counterpartyRef: 'grand-pier-hotel',
    counterpartyName: 'Grand Pier Hotel',
    description: 'Evening bar shift',
  });
  const links: Link[] = [
    { title: `The score of ${best.name}, as others see it`, url: verifyUrl },
    { title: 'A customer is asked to confirm a job', url: confirmUrl },
  ];
  if (folder === null) return links;
  const html: unknown = await client.readReliabilityReport(best.userId, { format: 'html' });
  const file = join(folder, `report-${best.userId}.html`);
  writeFileSync(file, String(html));
  return [...links, { title: `The report of ${best.name}, to print`, url: pathToFileURL(file).href }];
}
