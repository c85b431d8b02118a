import { parseArgs } from 'node:util';
import { findPostgres } from '#harness/postgresCluster.js';
import { appendResult, crashResult, crashTable, readResults } from './crashResults.js';
import { type CrashEngine, type CrashReport, crashRun } from './crashRun.js';

/**
 * `npm run test:crash -- [--engine pglite|postgresql|both|citus] [--kills 20] [--outages 4]
 * [--moves 0] [--clients 16] [--seed n] [--results FILE]` Kills the service under load and looks for
 * lost or doubled writes. Exit code 1: found some. `--results` appends a line for each run to a file,
 * and `--table FILE` prints the table of docs/benchmarks/crash.md from them.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'both' },
      kills: { type: 'string', default: '20' },
      outages: { type: 'string', default: '4' },
      moves: { type: 'string', default: '0' },
      clients: { type: 'string', default: '16' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      results: { type: 'string' },
      table: { type: 'string' },
    },
  });
  if (values.table !== undefined) return say(crashTable(readResults(values.table)));
  const numbers = (['kills', 'outages', 'moves', 'clients', 'seed'] as const).map((name) => {
    if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} takes a whole number`);
    return Number(values[name]);
  });
  const [kills = 0, outages = 0, moves = 0, clients = 0, seed = 0] = numbers;
  // An interrupted run must stop its servers.
  process.once('SIGINT', () => process.exit(130));
  say(`seed ${seed}: --seed ${seed} makes the same requests and waits again`);
  for (const engine of enginesOf(values.engine)) {
    const startedMs = Date.now();
    const report = await crashRun({ engine, kills, outages, moves, clients, seed, say });
    const tookMs = Date.now() - startedMs;
    summarize(engine, report, tookMs);
    if (values.results !== undefined)
      appendResult(values.results, crashResult({ engine, kills, outages, seed }, report, tookMs));
    if (report.violations.length > 0) process.exitCode = 1;
  }
}

function enginesOf(wanted: string): CrashEngine[] {
  if (wanted === 'citus') {
    if (process.env.TEST_CITUS_URL) return ['citus'];
    throw new Error('--engine citus needs TEST_CITUS_URL');
  }
  if (wanted === 'pglite') return ['pglite'];
  if (wanted !== 'postgresql' && wanted !== 'both') {
    throw new Error('--engine is pglite, postgresql, both or citus');
  }
  const hasPostgres = findPostgres() !== undefined;
  if (wanted === 'postgresql') {
    if (!hasPostgres) throw new Error('no PostgreSQL of version 15 or later is installed');
    return ['postgresql'];
  }
  if (!hasPostgres) say('postgresql: left out, none of version 15 or later is installed');
  return hasPostgres ? ['pglite', 'postgresql'] : ['pglite'];
}

function summarize(
  engine: string,
  { violations, requests, events, retries, delivered, refused, readerWaits, audit }: CrashReport,
  tookMs: number,
): void {
  const why = Object.entries(retries).map(([reason, count]) => `${reason} ${count}`);
  say(
    `${engine}: ${events} events in ${requests} requests, ${Math.round(tookMs / 1000)} s; repeated: ${why.join(', ')}`,
  );
  say(`${engine}: ${delivered} envelopes delivered, ${refused} attempts refused on purpose`);
  if (readerWaits) {
    const [moving, before] = [readerWaits.whileMovingMs, readerWaits.beforeMs].map(Math.round);
    say(`${engine}: a reader waited ${moving} ms at most while groups moved, ${before} ms before`);
  }
  say(`${engine}: audit: ${audit.output.split('\n').at(-1) ?? ''}`);
  for (const violation of violations.slice(0, 20))
    say(`${engine}: BROKEN (${violation.kind}): ${violation.text}`);
  say(
    violations.length === 0
      ? `${engine}: nothing acknowledged was lost, nothing doubled, the audit is clean`
      : `${engine}: ${violations.length} promises broken`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
