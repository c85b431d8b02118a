import { type Line, type Measured, Samples, tenth, whole } from './figure.js';
import type { SoakSample, TableSize } from './soakSample.js';
import { QUEUES } from './soakSample.js';
import { afterWarmUp, between, slopeOf } from './trend.js';

export interface SoakOutcome {
  readonly samples: readonly SoakSample[];
  /** Minutes in which a request was refused, imports that failed. */
  readonly broken: readonly string[];
  readonly acknowledged: number;
  readonly recorded: number;
  /** Deliveries: envelopes for each endpoint, those recorded as accepted, requests that endpoints received. */
  readonly due: number;
  readonly delivered: number;
  readonly received: number;
  readonly streamed: { readonly due: number; readonly each: readonly number[]; readonly closed: number };
  readonly reads: number;
}

const SETTING = 'PostgreSQL, ROLE=all';
/** A table grows faster than the events if an event of the second half adds so much more. */
const FASTER = 1.25;
/** Growth that no table owes to more than chance, in rows and bytes of half a run. */
const [FEW_ROWS, FEW_BYTES] = [1000, 4e6];

export function soakReport(outcome: SoakOutcome, rate: number): Measured {
  const { samples, broken } = outcome;
  const minutes = samples.length;
  const course = `${minutes} minutes of ${whole(rate)} events/s beside webhooks, streams, imports and reads`;
  const growths = growthsOf(afterWarmUp(samples));
  return {
    course,
    lines: [
      memoryLine(samples, ({ live }) => live?.heldMb, 'objects and buffers after a full collection', {
        under: 1,
      }),
      memoryLine(samples, ({ live }) => live?.residentMb, 'resident memory after a full collection', null),
      memoryLine(samples, ({ residentMb }) => residentMb, 'resident memory with garbage', null),
      latencyLine(samples),
      processorLine(samples),
      queueLine(samples),
      ...(['openFiles', 'connections'] as const).map((name) => boundLine(samples, name)),
      counted('tables that grow faster than events', faster(growths)),
      counted(
        'events that were acknowledged and are not in the ledger, or the reverse',
        lost(
          outcome.acknowledged,
          // How many a broken minute acknowledged is not known.
          broken.length > 0 ? Math.min(outcome.recorded, outcome.acknowledged) : outcome.recorded,
          'acknowledged',
          'in the ledger',
        ),
      ),
      counted(
        'deliveries that did not arrive',
        lost(outcome.due, Math.min(outcome.delivered, outcome.received), 'due', 'arrived'),
      ),
      counted('envelopes that a stream left out', streamLoss(outcome)),
      counted('failed requests', {
        count: broken.length,
        text: broken.join('; ') || `${outcome.reads} reads`,
      }),
    ],
    appendix: growthTable(growths),
  };
}

interface Counted {
  readonly count: number;
  readonly text: string;
}

function counted(what: string, { count, text }: Counted): Line {
  return {
    what,
    setting: SETTING,
    value: text,
    baseline: '',
    measure: count,
    unit: 'count',
    target: { under: 1 },
  };
}

function lost(due: number, found: number, dueName: string, foundName: string): Counted {
  return { count: Math.abs(due - found), text: `${whole(due)} ${dueName}, ${whole(found)} ${foundName}` };
}

function streamLoss({ streamed: { due, each, closed } }: SoakOutcome): Counted {
  const fewest = Math.min(...each);
  return {
    count: Math.abs(due - fewest),
    text: `${whole(due)} due, ${whole(fewest)} on the stream with the fewest of ${each.length}, ${closed} streams closed`,
  };
}

function memoryLine(
  samples: readonly SoakSample[],
  megabytes: (sample: SoakSample) => number | undefined,
  name: string,
  target: Line['target'],
): Line {
  const course = afterWarmUp(samples).flatMap((sample) => {
    const value = megabytes(sample);
    return value === undefined ? [] : [[sample.hours, value] as const];
  });
  const { perX, standardError } = slopeOf(course);
  const values = course.map(([, value]) => value);
  const [first, last] = [values[0] ?? Number.NaN, values.at(-1) ?? Number.NaN];
  return {
    what: `${name}: slope after the first quarter`,
    setting: SETTING,
    value: `${perX.toFixed(2)} ± ${standardError.toFixed(2)} MB/h, ${tenth(first)} to ${tenth(last)} MB (${tenth(Math.min(...values))} to ${tenth(Math.max(...values))})`,
    baseline: '',
    measure: perX,
    unit: 'MB/h',
    target,
  };
}

function latencyLine(samples: readonly SoakSample[]): Line {
  const of = (part: readonly SoakSample[], name: 'p50' | 'p99') =>
    medianOf(part.map((sample) => sample[name]));
  const [first, last] = [between(samples, 0, 0.25), between(samples, 0.75, 1)];
  const text = (part: readonly SoakSample[]) =>
    `${tenth(of(part, 'p99'))} ms, median ${tenth(of(part, 'p50'))} ms`;
  return {
    what: 'POST /events, p99 of a minute: last quarter',
    setting: SETTING,
    value: text(last),
    baseline: `first quarter ${text(first)}`,
    measure: of(last, 'p99') / of(first, 'p99'),
    unit: 'ratio',
    target: { under: 1.5 },
  };
}

/** In µs, of the service and of PostgreSQL, all their work included. */
export function processorPerEvent(from: SoakSample, to: SoakSample): number {
  return ((to.processorMs - from.processorMs) * 1000) / (to.events - from.events);
}

function processorLine(samples: readonly SoakSample[]): Line {
  const [first, last] = [between(samples, 0, 0.25), between(samples, 0.75, 1)].map((part) => {
    const [from, to] = [part[0], part.at(-1)];
    return from && to ? processorPerEvent(from, to) : Number.NaN;
  });
  return {
    what: 'processor time of an event, reads and deliveries included: last quarter',
    setting: SETTING,
    value: `${whole(last ?? Number.NaN)} µs`,
    baseline: `first quarter ${whole(first ?? Number.NaN)} µs`,
    measure: (last ?? Number.NaN) / (first ?? Number.NaN),
    unit: 'ratio',
    target: { under: 1.25 },
  };
}

/** A queue is bounded if it was not longer in the last quarter than twice the length of the first. */
function queueLine(samples: readonly SoakSample[]): Line {
  const [first, last] = [between(samples, 0, 0.25), between(samples, 0.75, 1)];
  const length = (part: readonly SoakSample[], name: string) =>
    medianOf(part.map(({ queues }) => queues[name] ?? 0));
  const longer = QUEUES.filter((name) => length(last, name) > 2 * length(first, name) + 100);
  const text = QUEUES.map((name) => {
    const longest = Math.max(...samples.map(({ queues }) => queues[name] ?? 0));
    return `${name} ${length(first, name)}, ${length(last, name)} (at most ${longest})`;
  });
  return counted('queues that grow: median of the first and the last quarter', {
    count: longer.length,
    text: text.join('; '),
  });
}

function boundLine(samples: readonly SoakSample[], name: 'openFiles' | 'connections'): Line {
  const [first, last] = [between(samples, 0, 0.25), between(samples, 0.75, 1)].map((part) =>
    Math.max(...part.map((sample) => sample[name])),
  );
  return {
    what: name === 'openFiles' ? 'open files: last quarter' : 'database connections: last quarter',
    setting: SETTING,
    value: `${last} at most`,
    baseline: `first quarter ${first} at most`,
    measure: (last ?? Number.NaN) / (first ?? Number.NaN),
    unit: 'ratio',
    target: { under: 1.25 },
  };
}

interface Growth {
  readonly table: string;
  readonly last: TableSize;
  /** Added by an event in the first and in the second half. */
  readonly rows: readonly [number, number];
  readonly bytes: readonly [number, number];
  readonly isFaster: boolean;
}

function growthsOf(samples: readonly SoakSample[]): Growth[] {
  const halves = [between(samples, 0, 0.5), between(samples, 0.5, 1)] as const;
  const events = (halves[1].at(-1)?.events ?? 0) - (halves[1][0]?.events ?? 0);
  return [...(samples.at(-1)?.tables ?? [])].map(([table, last]) => {
    const perEvent = (name: keyof TableSize) =>
      halves.map(
        (half) =>
          slopeOf(half.map((sample) => [sample.events, sample.tables.get(table)?.[name] ?? 0] as const)).perX,
      ) as [number, number];
    const [rows, bytes] = [perEvent('rows'), perEvent('bytes')];
    const accelerates = ([first, second]: readonly [number, number], few: number) =>
      second > FASTER * Math.max(0, first) && (second - Math.max(0, first)) * events > few;
    return {
      table,
      last,
      rows,
      bytes,
      isFaster: accelerates(rows, FEW_ROWS) || accelerates(bytes, FEW_BYTES),
    };
  });
}

function faster(growths: readonly Growth[]): Counted {
  const names = growths.filter(({ isFaster }) => isFaster).map(({ table }) => table);
  return { count: names.length, text: names.join(', ') || `none of ${growths.length}` };
}

function growthTable(growths: readonly Growth[]): string {
  const growing = growths
    .filter(({ bytes, rows }) => [...bytes, ...rows].some((value) => value > 0.001))
    .sort((a, b) => b.bytes[1] - a.bytes[1]);
  const two = ([first, second]: readonly [number, number], digits: number) =>
    `${first.toFixed(digits)}, ${second.toFixed(digits)}`;
  return [
    'Growth of each table for an event, first and second half of the time after the first quarter:',
    '',
    '| Table | Rows | Rows an event | MB | Bytes an event | |',
    '|---|---|---|---|---|---|',
    ...growing.map(
      ({ table, last, rows, bytes, isFaster }) =>
        `| \`${table}\` | ${whole(last.rows)} | ${two(rows, 3)} | ${tenth(last.bytes / 1e6)} | ${two(bytes, 0)} | ${isFaster ? 'faster' : ''} |`,
    ),
  ].join('\n');
}

function medianOf(values: readonly number[]): number {
  const samples = new Samples();
  for (const value of values) if (!Number.isNaN(value)) samples.add(value);
  return samples.median;
}
