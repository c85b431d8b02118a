import { parseArgs } from 'node:util';
import { admissionCost } from './admissionCost.js';
import { backtest } from './backtest.js';
import { batchPost } from './batchPost.js';
import { book } from './book.js';
import { deliveries } from './deliveries.js';
import { eventToScore } from './eventToScore.js';
import { imports } from './imports.js';
import { type Bench, withBench } from './kit/bench.js';
import { type Figure, isMet, type Line } from './kit/figure.js';
import { describeMachine } from './kit/machine.js';
import { type LoadProfile, type ProfiledLoad, profileLoad } from './kit/profileLoad.js';
import { plainTable, writeSection } from './kit/report.js';
import { findWrk } from './kit/wrk.js';
import { log } from './log.js';
import { logSize } from './logSize.js';
import { memory } from './memory.js';
import { processes } from './processes.js';
import { readScore } from './readScore.js';
import { recompute } from './recompute.js';
import { scoreCourse } from './scoreCourse.js';
import { singlePost } from './singlePost.js';
import { start } from './start.js';
import { streams } from './streams.js';
import { verifyRead } from './verifyRead.js';
import { worstBodies } from './worstBodies.js';

const figures: readonly Figure[] = [
  singlePost,
  batchPost,
  readScore,
  verifyRead,
  admissionCost,
  recompute,
  scoreCourse,
  book,
  backtest,
  eventToScore,
  deliveries,
  start,
  memory,
  streams,
  imports,
  worstBodies,
  log,
  logSize,
  processes,
];

// npm run bench -- [names…] [--seconds 8] [--rounds 3] [--leaves 10000000] [--write]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    leaves: { type: 'string', default: '10000000' },
    write: { type: 'boolean', default: false },
  },
});
const say = (line: string) => console.log(line);

try {
  findWrk();
  await withBench(
    { seconds: Number(values.seconds), rounds: Number(values.rounds), leaves: Number(values.leaves), say },
    runNamed,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function runNamed(bench: Bench): Promise<void> {
  const chosen = positionals.length === 0 ? figures : positionals.map(figureNamed);
  const machine = await describeMachine(bench);
  say(machine);
  const roundsText = `${bench.rounds} interleaved rounds of ${bench.seconds} s`;
  const all: Line[] = [];
  for (const [index, { name, measure }] of chosen.entries()) {
    say(`\n${name} (${index + 1} of ${chosen.length})`);
    const measured = await measure(bench);
    const { lines, appendix } = 'lines' in measured ? measured : { lines: measured, appendix: '' };
    all.push(...lines);
    if (!values.write) continue;
    const profiles = await profilesOf(bench, lines);
    writeSection({ name, machine, date: new Date(), roundsText, lines, appendix, profiles });
    say(`wrote ${name} to docs/BENCHMARKS.md`);
  }
  say(`\n${plainTable(all)}`);
}

function figureNamed(name: string): Figure {
  const figure = figures.find((known) => known.name === name);
  if (!figure)
    throw new Error(`Unknown figure ${name}. Known: ${figures.map((known) => known.name).join(', ')}`);
  return figure;
}

/** A load that misses its target is reported with a CPU profile. */
async function profilesOf(bench: Bench, lines: readonly Line[]): Promise<Map<ProfiledLoad, LoadProfile>> {
  const profiles = new Map<ProfiledLoad, LoadProfile>();
  for (const load of new Set(lines.flatMap((line) => (!isMet(line) && line.profile ? [line.profile] : [])))) {
    say(`\n${load} misses its target: recording a CPU profile`);
    const options = {
      load,
      seconds: bench.seconds,
      connections: 64,
      engine: 'postgresql',
      worker: 'inside',
    } as const;
    profiles.set(load, await profileLoad(bench, options));
  }
  return profiles;
}
