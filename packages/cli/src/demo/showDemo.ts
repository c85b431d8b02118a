import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@reliability/client';
import type { Output } from '../output.js';
import { demoPeople, demoPlatforms } from './data.js';
import { type DemoState, dataOf, REPORT } from './makeDemo.js';
import { type Link, reportLines, type ScoreState } from './report.js';

interface ShowOptions {
  folder: string;
  /** Where it answers. */
  address: string;
  baseUrl: string;
  state: DemoState;
  isNew: boolean;
  output: Output;
}

/** Reads the scores of people with a story, and prints where to look. Writes nothing. */
export async function showDemo({
  folder,
  address,
  baseUrl,
  state,
  isNew,
  output,
}: ShowOptions): Promise<void> {
  const subjects = await scoresOf(address, state);
  const links = linksOf(folder, baseUrl, state);
  if (!isNew)
    output.say(
      `The sample data is there already, made on ${state.madeAt.slice(0, 10)}. Nothing was changed.`,
    );
  output.result({ url: baseUrl, isThere: !isNew, subjects, links }, reportLines(baseUrl, subjects, links));
}

async function scoresOf(address: string, { keys }: DemoState): Promise<ScoreState[]> {
  const scores: ScoreState[] = [];
  for (const { key: platform, name: platformName } of demoPlatforms) {
    const key = keys[platform] ?? '';
    const client = createClient({ baseUrl: address, key });
    for (const { userId, name, about } of (demoPeople[platform] ?? []).filter(({ isShown }) => isShown)) {
      const { finalScore, scoreBand, confidence } = await client.score(userId);
      const { level: riskLevel } = await client.readRisk(userId);
      const score = { finalScore, scoreBand, confidence, riskLevel };
      scores.push({ userId, name, about, platform: platformName, key, ...score });
    }
  }
  return scores.sort((a, b) => b.finalScore - a.finalScore);
}

/** Pages to open in a browser. The part behind # signs in and is not sent; the key is of the demo alone. */
function linksOf(folder: string, baseUrl: string, { keys, pages, shown }: DemoState): Link[] {
  const name = Object.values(demoPeople)
    .flat()
    .find(({ userId }) => userId === shown)?.name;
  return [
    ...demoPlatforms.map((platform) => ({
      title: `The console of ${platform.name}, signed in`,
      url: `${baseUrl}/console#sign-in=${keys[platform.key]}`,
    })),
    { title: `The score of ${name}, as others see it`, url: baseUrl + pages.verify },
    { title: 'A customer is asked to confirm a job', url: baseUrl + pages.confirm },
    { title: 'The record of Yuki Tanaka, as only this person sees it', url: baseUrl + pages.record },
    { title: `The report of ${name}, to print`, url: pathToFileURL(join(dataOf(folder), REPORT)).href },
  ];
}
