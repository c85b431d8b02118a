import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startContender } from './contenders.js';
import { Samples } from './figure.js';
import type { EventBody } from './load.js';
import { scratchFolder } from './scratch.js';
import { LIVE_KEY } from './server.js';

export const EVENTS_PATH = '/api/v1/events';
export const CONNECTIONS = 64;

/** Writes the bodies to a file for `timesAt`. */
export function bodiesFile(bodies: readonly EventBody[]): string {
  const file = join(scratchFolder('bodies'), 'bodies.txt');
  writeFileSync(file, bodies.map((body) => JSON.stringify(body)).join('\n'));
  return file;
}

/**
 * Posts events at a fixed rate that does not wait for answers. Returns the time of each answer, from
 * the moment at which its request was due. Throws if a request was refused.
 */
export async function timesAt(url: string, file: string, rate: number, seconds: number): Promise<Samples> {
  const args = [new URL(url).port, EVENTS_PATH, LIVE_KEY, file, rate, seconds, CONNECTIONS].map(String);
  const samples = new Samples();
  for (const ms of JSON.parse(await startContender('steadyPosts', args).output())) samples.add(ms);
  return samples;
}
