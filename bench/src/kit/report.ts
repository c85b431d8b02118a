import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inUnit, type Line, targetText, verdict } from './figure.js';
import type { LoadProfile } from './profileLoad.js';
import { ROOT } from './scratch.js';
import { type LoadName, loads } from './serviceLoads.js';

/** The measurements of one program, ready to be written. */
export interface Section {
  readonly name: string;
  readonly machine: string;
  readonly date: Date;
  /** How it was measured: rounds, or a course of its own. */
  readonly course: string;
  readonly lines: readonly Line[];
  /** Markdown below the table. */
  readonly appendix: string;
  /** CPU profiles of the loads that missed their target. */
  readonly profiles: ReadonlyMap<LoadName, LoadProfile>;
}

/** For the console. */
export function plainTable(lines: readonly Line[]): string {
  return lines
    .map((line) => {
      const target = line.target ? ` (${targetText(line)}: ${verdict(line)})` : '';
      const against = line.baseline === '' ? '' : ` against ${line.baseline}`;
      return `${line.what} · ${line.setting}\n    ${line.value}${against}: ${inUnit(line.measure, line.unit)}${target}`;
    })
    .join('\n');
}

/** Replaces the figures on the program's page in docs/benchmarks, which must exist. */
export function writeSection(section: Section): void {
  const path = join(ROOT, 'docs/benchmarks', `${section.name}.md`);
  const text = readFileSync(path, 'utf8');
  const [before, rest] = cut(text, `<!-- ${section.name}:begin -->`);
  const [, after] = cut(rest, `<!-- ${section.name}:end -->`);
  const marks = [`<!-- ${section.name}:begin -->`, `<!-- ${section.name}:end -->`];
  writeFileSync(path, `${before}${marks.join(`\n\n${markdown(section)}\n`)}${after}`);
}

function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the page in docs/benchmarks lacks ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function markdown({ machine, date, course, lines, appendix, profiles }: Section): string {
  const rows = lines.map((line) =>
    [
      line.what,
      line.setting,
      line.value,
      line.baseline,
      inUnit(line.measure, line.unit),
      targetText(line),
      verdict(line),
    ]
      .join(' | ')
      .replace(/^.*$/, '| $& |'),
  );
  return [
    wrapped(`Measured on ${date.toISOString().slice(0, 10)}: ${machine}; ${course}.`),
    '',
    '| What | Setting | Measured | Baseline | Ratio or value | Target | |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...(appendix === '' ? [] : [appendix, '']),
    ...[...profiles].flatMap(([load, profile]) => profileSection(load, profile)),
  ].join('\n');
}

const PROFILE_ROWS = 15;

function profileSection(load: LoadName, { threads }: LoadProfile): string[] {
  const [busiest] = threads;
  const rows = (busiest?.locations ?? []).slice(0, PROFILE_ROWS);
  return [
    `CPU profile of the service under ${loads[load].title}, by package or source file:`,
    '',
    '| Share | Where |',
    '|---|---|',
    ...rows.map(({ name, share }) => `| ${(share * 100).toFixed(1)} % | \`${name}\` |`),
    '',
  ];
}

/** In lines of at most 100 characters, as the prose around it. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= 100) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}
