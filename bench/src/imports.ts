import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { startContender } from './kit/contenders.js';
import { type Figure, type Line, Samples, tenth, whole } from './kit/figure.js';
import { settled } from './kit/fill.js';
import { importCompleted, saveMapping, sendCsv } from './kit/importCalls.js';
import { csvOf, HISTORY_MAPPING, historyRows, IMPORT_ROWS, IMPORT_SUBJECTS } from './kit/importFile.js';
import { subjectName } from './kit/load.js';
import { dropFolder, pause, scratchFolder } from './kit/scratch.js';
import { LIVE_KEY, type Server, startService, type Worker } from './kit/server.js';
import { residentMb } from './memory.js';

/** A file of the maximum size: duration, memory, and the effect on other requests. */
export const imports: Figure = { name: 'imports', measure };

const READS_PER_SECOND = 200;
const IDLE_SECONDS = 5;
/** Four times as many subjects, so that computing scores takes a larger share. */
const SPREAD_SUBJECTS = 4 * IMPORT_SUBJECTS;

async function measure(bench: Bench): Promise<Line[]> {
  const inside = await measureOn(bench, { setting: 'PostgreSQL, ROLE=all', worker: 'inside' });
  const separate = await measureOn(bench, { setting: 'PostgreSQL, api and worker', worker: 'separate' });
  return [...inside, ...separate.map((line) => ({ ...line, target: null }))];
}

interface Arrangement {
  setting: string;
  worker: Worker;
}

async function measureOn(bench: Bench, { setting, worker }: Arrangement): Promise<Line[]> {
  const home = await bench.postgres();
  const service = await startService(home, { worker });
  const found = { plain: new Samples(), unkeyed: new Samples(), keyed: new Samples(), spread: new Samples() };
  const reads = { idle: new Samples(), during: new Samples() };
  const growthMb = new Samples();
  try {
    await importFile(service, 'warm-up', false);
    for (let round = 1; round <= bench.rounds; round += 1) {
      await rest(home, service);
      found.plain.add(await plainInsert(home, `plain-${round}`));
      await rest(home, service);
      found.unkeyed.add(await importFile(service, `unkeyed-${round}`, false));
      await rest(home, service);
      const memory = watchMemory(service.pid);
      found.keyed.add(await importFile(service, `keyed-${round}`, true));
      growthMb.add(memory.stop());
      await rest(home, service);
      found.spread.add(
        await importFile(service, `spread-${round}`, false, historyFile(`spread-${round}`, SPREAD_SUBJECTS)),
      );
      await rest(home, service);
      const idle = await steadyReads(service, reads.idle);
      await pause(IDLE_SECONDS * 1000);
      await idle.stop();
      const watched = historyFile(`watched-${round}`); // built before the reads start, which must not wait for it
      const during = await steadyReads(service, reads.during);
      await importFile(service, `watched-${round}`, false, watched, sendFromElsewhere);
      await during.stop();
      bench.say(
        `  ${setting}, round ${round}: ${found.unkeyed.milliseconds()}, ${found.plain.milliseconds('plain')}`,
      );
    }
  } finally {
    await service.stop();
  }
  return linesOf(setting, found, reads, growthMb);
}

type Found = Readonly<Record<'plain' | 'unkeyed' | 'keyed' | 'spread', Samples>>;

function linesOf(
  setting: string,
  found: Found,
  reads: { idle: Samples; during: Samples },
  growthMb: Samples,
): Line[] {
  const rows = `${whole(IMPORT_ROWS)} rows`;
  const timed = (what: string, samples: Samples, target: Line['target']): Line => ({
    what,
    setting,
    value: samples.milliseconds(),
    baseline: found.plain.milliseconds('plain table'),
    measure: samples.median / found.plain.median,
    unit: 'ratio',
    target,
  });
  const p99 = (samples: Samples) => samples.percentile(99);
  return [
    timed(
      `POST /imports of ${rows} about ${whole(IMPORT_SUBJECTS)} subjects until every score is computed`,
      found.unkeyed,
      { under: 2.5 },
    ),
    timed('the same with an idempotencyKey for each row', found.keyed, null),
    timed(`the same rows about ${whole(SPREAD_SUBJECTS)} subjects`, found.spread, { under: 3.5 }),
    {
      what: `memory growth of the process that answers, during an import of ${rows}`,
      setting,
      value: `${growthMb.max} MB`,
      baseline: '',
      measure: growthMb.max,
      unit: 'MB',
      target: { under: 100 },
    },
    {
      what: `p99 of score reads at ${READS_PER_SECOND}/s during an import`,
      setting,
      value: `${tenth(p99(reads.during))} ms (median ${tenth(reads.during.median)})`,
      baseline: `without an import ${tenth(p99(reads.idle))} ms (median ${tenth(reads.idle.median)})`,
      measure: p99(reads.during) / p99(reads.idle),
      unit: 'ratio',
      target: { under: 2 },
    },
  ];
}

async function rest(home: PostgresHome, { url }: Server): Promise<void> {
  await settled(url);
  await checkpoint(home);
}

async function plainInsert({ databaseUrl }: PostgresHome, batch: string): Promise<number> {
  const output = await startContender('unnestInsert', [databaseUrl, batch]).output();
  return (JSON.parse(output) as { ms: number }).ms;
}

/** Milliseconds from sending the file until it is COMPLETED and every score is computed. */
export async function importFile(
  { url }: Server,
  batch: string,
  isKeyed: boolean,
  csv = historyFile(batch),
  send = sendCsv,
): Promise<number> {
  const mapping = isKeyed ? { ...HISTORY_MAPPING, idempotencyKey: { path: 'jobNo' } } : HISTORY_MAPPING;
  const saved = await saveMapping(url, batch, mapping);
  const startedAt = performance.now();
  const sent = await send(`${url}/api/v1/imports?mappingId=${saved.id}`, csv);
  await importCompleted(url, sent.id, IMPORT_ROWS);
  await settled(url);
  return performance.now() - startedAt;
}

async function sendFromElsewhere(address: string, csv: string): Promise<{ id: string }> {
  const folder = scratchFolder('import');
  const file = join(folder, 'history.csv');
  writeFileSync(file, csv);
  const output = await startContender('sendFile', [address, LIVE_KEY, file]).output();
  dropFolder(folder);
  return JSON.parse(output);
}

function historyFile(batch: string, subjects = IMPORT_SUBJECTS): string {
  return csvOf(historyRows(batch, subjects));
}

function watchMemory(pid: number): { stop(): number } {
  const before = residentMb(pid, 'VmRSS');
  let max = before;
  const look = () => {
    max = Math.max(max, residentMb(pid, 'VmRSS'));
  };
  const timer = setInterval(look, 10);
  return {
    stop() {
      clearInterval(timer);
      look();
      return max - before;
    },
  };
}

/** Reads a score at a fixed rate until `stop`. */
async function steadyReads({ url }: Server, samples: Samples): Promise<{ stop(): Promise<void> }> {
  const address = `${url}/api/v1/users/warm-up-${subjectName(1)}/score`;
  const reader = startContender('steadyReads', [address, LIVE_KEY, String(READS_PER_SECOND)]);
  await pause(READER_WARM_UP_MS);
  const sinceMs = Date.now();
  return {
    async stop() {
      await reader.end('SIGTERM');
      const reads = JSON.parse(await reader.output()) as [sentAtMs: number, tookMs: number][];
      for (const [sentAtMs, tookMs] of reads) if (sentAtMs >= sinceMs) samples.add(tookMs);
    },
  };
}

const READER_WARM_UP_MS = 1500;
