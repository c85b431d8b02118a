import type { Bench, EmbeddedHome } from './kit/bench.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { postEvents, settled } from './kit/fill.js';
import { eventBodies } from './kit/load.js';
import { type Server, startService } from './kit/server.js';

const EVENTS = 100_000;
const STARTS = 5;

/** Time from the start of the process to the first 200 of /health/ready, on an existing embedded database. */
export const start: Figure = { name: 'start', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const home = bench.embedded();
  const first = await startService(home);
  bench.say(`  the first start, which creates the database, took ${(first.startMs / 1000).toFixed(2)} s`);
  await postEvents(first.url, eventBodies(EVENTS));
  await settled(first.url);
  await first.stop();
  const afterStop = await starts(home, (service) => service.stop());
  const afterKill = await starts(home, (service) => service.kill9());
  home.drop();
  return [
    startLine(`${EVENTS / 1000} 000 events, after a clean stop`, afterStop, { under: 0.6 }),
    startLine(`${EVENTS / 1000} 000 events, after kill -9 during writes`, afterKill, { under: 3 }),
    startLine('first start, which creates the database', sampleOf(first.startMs), null),
  ];
}

// The first start of each series follows the end of the previous series and is not counted.
async function starts(home: EmbeddedHome, end: (service: Server) => Promise<void>): Promise<Samples> {
  const samples = new Samples();
  for (let round = 0; round <= STARTS; round += 1) {
    const service = await startService(home);
    if (round > 0) samples.add(service.startMs);
    await writeAndEnd(service, end);
  }
  return samples;
}

async function writeAndEnd(service: Server, end: (service: Server) => Promise<void>): Promise<void> {
  const writing = postEvents(service.url, eventBodies(2_000, 7)).catch(() => undefined); // cut off by a kill
  await new Promise((resolve) => setTimeout(resolve, 100));
  await end(service);
  await writing;
}

function startLine(which: string, samples: Samples, target: Line['target']): Line {
  return {
    what: `start to first 200: ${which}`,
    setting: 'PGlite',
    value: samples.milliseconds(),
    baseline: '',
    measure: samples.median / 1000,
    unit: 's',
    target,
  };
}

function sampleOf(value: number): Samples {
  const samples = new Samples();
  samples.add(value);
  return samples;
}
