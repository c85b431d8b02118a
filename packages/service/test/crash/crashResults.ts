import { appendFileSync, readFileSync } from 'node:fs';
import type { CrashOptions, CrashReport } from './crashRun.js';
import type { BrokenPromise } from './verify.js';

/** One run, as a line of a file of results. */
interface CrashResult {
  /** Of the database. */
  readonly version: string;
  readonly node: string;
  readonly seed: number;
  readonly kills: number;
  readonly outages: number;
  readonly requests: number;
  readonly events: number;
  /** Attempts that were repeated under their key, for any reason. */
  readonly repeated: number;
  readonly delivered: number;
  readonly broken: Readonly<Record<BrokenPromise['kind'], number>>;
  readonly isAuditClean: boolean;
  readonly seconds: number;
}

export function crashResult(
  { kills, outages, seed, engine }: Pick<CrashOptions, 'kills' | 'outages' | 'seed' | 'engine'>,
  { version, requests, events, retries, delivered, violations, audit }: CrashReport,
  tookMs: number,
): CrashResult {
  const count = (kind: BrokenPromise['kind']) => violations.filter((broken) => broken.kind === kind).length;
  return {
    version,
    node: process.versions.node,
    seed,
    kills,
    outages: engine === 'postgresql' ? outages : 0,
    requests,
    events,
    repeated: Object.values(retries).reduce((sum, times) => sum + times, 0),
    delivered,
    broken: {
      lost: count('lost'),
      doubled: count('doubled'),
      undelivered: count('undelivered'),
      other: count('other'),
    },
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
    const cells = [
      name,
      runs.length,
      sum(({ kills }) => kills),
      sum(({ outages }) => outages),
      sum(({ events }) => events),
      sum(({ repeated }) => repeated),
      sum(({ broken }) => broken.lost),
      sum(({ broken }) => broken.doubled),
      `${sum(({ delivered }) => delivered)}, ${sum(({ broken }) => broken.undelivered)} missing`,
      sum(({ broken }) => broken.other),
      `${runs.filter(({ isAuditClean }) => isAuditClean).length} of ${runs.length}`,
      `${sum(({ seconds }) => seconds / 60)} min`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `| ${COLUMNS.join(' | ')} |`,
    `|${COLUMNS.map(() => '---').join('|')}|`,
    ...rows,
    '',
    `Seeds: ${results.map(({ seed }) => seed).join(', ')}.`,
  ].join('\n');
}

const COLUMNS = [
  'Database',
  'Runs',
  'Kills',
  'Failures of the database',
  'Events acknowledged',
  'Attempts repeated',
  'Lost',
  'Doubled',
  'Deliveries',
  'Other differences',
  'Clean audits',
  'Time',
];

function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ');
}
