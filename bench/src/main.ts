import { parseArgs } from 'node:util';
import { admissionCost } from './admissionCost.js';
import { backtest } from './backtest.js';
import { batchPost } from './batchPost.js';
import { book } from './book.js';
import { citus } from './citus.js';
import { webConsole } from './console.js';
import { deliveries } from './deliveries.js';
import { eventToScore } from './eventToScore.js';
import { groups } from './groups.js';
import { growth } from './growth.js';
import { halfRate } from './halfRate.js';
import { imports } from './imports.js';
import { type Bench, withBench } from './kit/bench.js';
import { type Figure, isMet, type Line, type Measured } from './kit/figure.js';
import { describeMachine } from './kit/machine.js';
import { type LoadProfile, profileLoad } from './kit/profileLoad.js';
import { plainTable, writeSection } from './kit/report.js';
import type { LoadName } from './kit/serviceLoads.js';
import { findWrk } from './kit/wrk.js';
import { log } from './log.js';
import { logSize } from './logSize.js';
import { memory } from './memory.js';
import { processes } from './processes.js';
import { readScore } from './readScore.js';
import { recompute } from './recompute.js';
import { requestCost } from './requestCost.js';
import { scaling } from './scaling.js';
import { scoreCourse } from './scoreCourse.js';
import { singlePost } from './singlePost.js';
import { soak } from './soak.js';
import { start } from './start.js';
import { streams } from './streams.js';
import { verifyRead } from './verifyRead.js';
import { worstBodies } from './worstBodies.js';
import { worstMemory } from './worstMemory.js';

const figures: readonly Figure[] = [
  singlePost,
  halfRate,
  batchPost,
  readScore,
  verifyRead,
  admissionCost,
  requestCost,
  recompute,
  citus,
  scaling,
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
  worstMemory,
  log,
  logSize,
  webConsole,
  processes,
  groups,
];
/** Takes too long to be part of a run without names. */
const onlyByName: readonly Figure[] = [soak, growth];
const known = [...figures, ...onlyByName];

// npm run bench -- [names…] [--seconds 8] [--rounds 3] [--leaves 10000000] [--against DIR] [--loads post,read]
//   [--times 50] [--minutes 120] [--rate 150] [--write]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    leaves: { type: 'string', default: '10000000' },
    times: { type: 'string', default: '50' },
    against: { type: 'string' },
    loads: { type: 'string' },
    minutes: { type: 'string', default: '120' },
    rate: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const say = (line: string) => console.log(line);
/** The exit code of a run whose figures must not be quoted. */
const DISTURBED = 3;

try {
  findWrk();
  await withBench(
    {
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
      leaves: Number(values.leaves),
      times: Number(values.times),
      against: values.against,
      loads: values.loads?.split(',') ?? [],
      minutes: Number(values.minutes),
      rate: values.rate === undefined ? undefined : Number(values.rate),
      say,
    },
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
    bench.disturbances.length = 0;
    const measured = await measure(bench);
    const {
      lines,
      appendix,
      course = roundsText,
    }: Measured = 'lines' in measured ? measured : { lines: measured, appendix: '' };
    all.push(...lines);
    const [disturbance] = bench.disturbances;
    if (disturbance) {
      say(`  do not quote ${name}: ${disturbance}`);
      process.exitCode = DISTURBED;
    }
    if (appendix !== '' && !values.write) say(appendix);
    if (!values.write || disturbance) continue;
    const profiles = await profilesOf(bench, lines);
    writeSection({ name, machine, date: new Date(), course, lines, appendix, profiles });
    say(`wrote ${name} to docs/benchmarks/${name}.md`);
  }
  say(`\n${plainTable(all)}`);
}

function figureNamed(name: string): Figure {
  const figure = known.find((one) => one.name === name);
  if (!figure) throw new Error(`Unknown figure ${name}. Known: ${known.map((one) => one.name).join(', ')}`);
  return figure;
}

/** A load that misses its target is reported with a CPU profile. */
async function profilesOf(bench: Bench, lines: readonly Line[]): Promise<Map<LoadName, LoadProfile>> {
  const profiles = new Map<LoadName, LoadProfile>();
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
