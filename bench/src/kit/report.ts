import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inUnit, type Line, targetText, verdict } from './figure.js';
import type { LoadProfile, ProfiledLoad } from './profileLoad.js';
import { ROOT } from './scratch.js';

/** A whole run, ready to be written down. */
export interface Run {
  readonly machine: string;
  readonly date: Date;
  readonly roundsText: string;
  readonly lines: readonly Line[];
  /** Where the time goes in the loads that fell short. */
  readonly profiles: ReadonlyMap<ProfiledLoad, LoadProfile>;
}

/** For the console. */
export function plainTable(lines: readonly Line[]): string {
  return lines
    .map((line) => {
      const held = line.target ? ` (${targetText(line)}: ${verdict(line)})` : '';
      const against = line.against === '' ? '' : ` against ${line.against}`;
      return `${line.what} · ${line.setting}\n    ${line.value}${against}: ${inUnit(line.measure, line.unit)}${held}`;
    })
    .join('\n');
}

const BEGIN = '<!-- figures:begin -->';
const END = '<!-- figures:end -->';

/** Replaces what stands between the two markers of docs/BENCHMARKS.md. */
export function writeReport(run: Run): void {
  const path = join(ROOT, 'docs/BENCHMARKS.md');
  const text = readFileSync(path, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/BENCHMARKS.md lacks ${BEGIN} or ${END}`);
  writeFileSync(path, `${text.slice(0, begin + BEGIN.length)}\n\n${markdown(run)}\n${text.slice(end)}`);
}

function markdown({ machine, date, roundsText, lines, profiles }: Run): string {
  const rows = lines.map((line) =>
    [
      line.what,
      line.setting,
      line.value,
      line.against,
      inUnit(line.measure, line.unit),
      targetText(line),
      verdict(line),
    ]
      .join(' | ')
      .replace(/^.*$/, '| $& |'),
  );
  return [
    `Measured on ${date.toISOString().slice(0, 10)}: ${machine}. ${roundsText}`,
    '',
    '| What | Setting | Measured | Held against | Ratio or value | Target | |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...[...profiles].flatMap(([load, profile]) => profileSection(load, profile)),
  ].join('\n');
}

const PROFILED_LOAD: Record<ProfiledLoad, string> = {
  post: 'POST /events',
  batch: 'POST /events/batch',
  read: 'GET /users/{id}/score',
};
const PROFILE_ROWS = 15;

function profileSection(load: ProfiledLoad, { threads }: LoadProfile): string[] {
  const [busiest] = threads;
  const rows = (busiest?.places ?? []).slice(0, PROFILE_ROWS);
  return [
    `Where the service's process spends its time under ${PROFILED_LOAD[load]}, by package or file of ours:`,
    '',
    '| Share | Where |',
    '|---|---|',
    ...rows.map(({ name, share }) => `| ${(share * 100).toFixed(1)} % | \`${name}\` |`),
    '',
  ];
}
