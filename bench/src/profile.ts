import { parseArgs } from 'node:util';
import { withBench } from './kit/bench.js';
import type { Share, TimeSpent } from './kit/cpuProfile.js';
import { profileLoad } from './kit/profileLoad.js';
import { type LoadName, loadNames } from './kit/serviceLoads.js';

// Shows where the server spends its time under a load. Use it before you optimize anything.
//   tsx --conditions=source bench/src/profile.ts [post|batch|read|explain|history|book] [--seconds 10] [--connections 64] [--worker inside|separate|none] [--pglite] [--top 30]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
    top: { type: 'string', default: '30' },
    worker: { type: 'string', default: 'inside' },
    pglite: { type: 'boolean', default: false },
  },
});

const say = (line: string) => console.log(line);
await withBench({ seconds: Number(values.seconds), rounds: 1, say }, async (bench) => {
  const { load, threads } = await profileLoad(bench, {
    load: loadNamed(positionals[0] ?? 'post'),
    seconds: bench.seconds,
    connections: Number(values.connections),
    engine: values.pglite ? 'pglite' : 'postgresql',
    worker: values.worker === 'separate' || values.worker === 'none' ? values.worker : 'inside',
  });
  const { perSecond, refused, medianMs, p99Ms } = load;
  say(`${perSecond.toFixed(0)} answers/s, ${refused} refused, median ${medianMs} ms, p99 ${p99Ms} ms`);
  threads.forEach((thread, index) => {
    say(`\nThread ${index + 1} of ${threads.length}`);
    printTime(thread, Number(values.top));
  });
});

function loadNamed(name: string): LoadName {
  const load = loadNames.find((known) => known === name);
  if (!load) throw new Error(`Unknown load ${name}. Known: ${loadNames.join(', ')}`);
  return load;
}

function printTime({ self, locations, whole }: TimeSpent, top: number): void {
  printShares('by package or file, self time', locations, top);
  printShares('by function, self time', self, top);
  printShares('functions of this project, with callees', whole, top);
}

function printShares(title: string, shares: readonly Share[], top: number): void {
  say(`\n  ${title}`);
  for (const { name, share } of shares.slice(0, top))
    say(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
}
