import { appendFileSync, readFileSync } from 'node:fs';
import type { CrashOptions, CrashReport } from './crashRun.js';
import type { BrokenPromise } from './verify.js';

/** One run, as a line of a file of results. */
type CrashResult = ReturnType<typeof crashResult>;

export function crashResult(
  { kills, outages, seed, engine }: Pick<CrashOptions, 'kills' | 'outages' | 'seed' | 'engine'>,
  { version, requests, events, retries, delivered, violations, audit }: CrashReport,
  tookMs: number,
) {
  const count = (kind: BrokenPromise['kind']) => violations.filter((broken) => broken.kind === kind).length;
  const [lost, doubled] = [count('lost'), count('doubled')];
  return {
    version,
    node: process.versions.node,
    seed,
    kills,
    outages: engine === 'postgresql' ? outages : 0,
    requests,
    events,
    /** Attempts that were repeated under their key, for any reason. */
    repeated: Object.values(retries).reduce((sum, times) => sum + times, 0),
    delivered,
    broken: { lost, doubled, undelivered: count('undelivered'), other: count('other') },
    isAuditClean: audit.isClean,
    seconds: Math.round(tookMs / 1000),
  };
}

export function appendResult(file: string, result: CrashResult): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}

export function readResults(file: string): CrashResult[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** One line for each database, in Markdown. */
export function crashTable(results: readonly CrashResult[]): string {
  const versions = [...new Set(results.map(({ version, node }) => `${version}, Node ${node}`))].sort();
  const rows = versions.map((name) => {
    const runs = results.filter(({ version, node }) => `${version}, Node ${node}` === name);
    const sum = (number: (run: CrashResult) => number) =>
      whole(runs.reduce((total, run) => total + number(run), 0));
    return {
      Database: name,
      Runs: runs.length,
      Kills: sum(({ kills }) => kills),
      'Failures of the database': sum(({ outages }) => outages),
      'Events acknowledged': sum(({ events }) => events),
      'Attempts repeated': sum(({ repeated }) => repeated),
      Lost: sum(({ broken }) => broken.lost),
      Doubled: sum(({ broken }) => broken.doubled),
      Deliveries: `${sum(({ delivered }) => delivered)}, ${sum(({ broken }) => broken.undelivered)} missing`,
      'Other differences': sum(({ broken }) => broken.other),
      'Clean audits': `${runs.filter(({ isAuditClean }) => isAuditClean).length} of ${runs.length}`,
      Time: `${sum(({ seconds }) => seconds / 60)} min`,
    };
  });
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => Object.values(row))];
  const seeds = `Seeds: ${results.map(({ seed }) => seed).join(', ')}.`;
  return [...lines.map((cells) => `| ${cells.join(' | ')} |`), '', seeds].join('\n');
}

function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ');
}
