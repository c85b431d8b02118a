import type { Bench } from './bench.js';
import type { LoadName } from './serviceLoads.js';

/** A bench program: measures one thing and returns its lines of the report. */
export interface Figure {
  readonly name: string;
  measure(bench: Bench): Promise<Line[] | Measured>;
}

/** Lines and an appendix. */
export interface Measured {
  readonly lines: readonly Line[];
  /** Markdown. */
  readonly appendix: string;
  /** How it was measured, if not in rounds. */
  readonly course?: string;
}

/** One line of the report. */
export interface Line {
  /** What was measured, such as `POST /events, 64 connections`. */
  readonly what: string;
  /** Database engine and process roles. */
  readonly setting: string;
  readonly value: string;
  /** What the value is compared with, measured in the same run. Empty for an absolute limit. */
  readonly baseline: string;
  /** The number that is compared with the target, and its unit. */
  readonly measure: number;
  readonly unit: Unit;
  /** null: for information, without a target. */
  readonly target: Target | null;
  /** The load to profile if the target is missed. */
  readonly profile?: LoadName;
}

export type Unit = 'ratio' | 'ms' | 's' | 'kB' | 'MB' | 'MB/h' | '/s' | 'count';
export type Target = { readonly min: number } | { readonly under: number };

export function isMet({ measure, target }: Line): boolean {
  if (target === null) return true;
  return 'min' in target ? measure >= target.min : measure < target.under;
}

/** Repeated measurements of one thing. */
export class Samples {
  readonly #values: number[] = [];

  add(value: number): void {
    this.#values.push(value);
  }

  get count(): number {
    return this.#values.length;
  }

  get median(): number {
    return this.percentile(50);
  }

  /** The smallest value that so many percent of the values do not exceed. NaN without values. The median is interpolated. */
  percentile(percent: number): number {
    const sorted = [...this.#values].sort((a, b) => a - b);
    if (percent === 50) {
      const half = sorted.length / 2;
      return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
    }
    return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
  }

  get min(): number {
    return Math.min(...this.#values);
  }

  get max(): number {
    return Math.max(...this.#values);
  }

  /** `3 912/s (3 801 to 4 020)` */
  perSecond(name = ''): string {
    const label = name === '' ? '' : `${name} `;
    return `${label}${whole(this.median)}/s (${whole(this.min)} to ${whole(this.max)})`;
  }

  /** `12.3 ms (11.9 to 14.0)` */
  milliseconds(name = ''): string {
    const label = name === '' ? '' : `${name} `;
    return `${label}${tenth(this.median)} ms (${tenth(this.min)} to ${tenth(this.max)})`;
  }

  /** `412 µs (398 to 430)` */
  microseconds(name = ''): string {
    const label = name === '' ? '' : `${name} `;
    return `${label}${whole(this.median)} µs (${whole(this.min)} to ${whole(this.max)})`;
  }
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
}

export function tenth(value: number): string {
  return value.toFixed(1);
}

export function inUnit(value: number, unit: Unit): string {
  switch (unit) {
    case 'ratio':
      return value.toFixed(2);
    case 'ms':
      return `${tenth(value)} ms`;
    case 's':
      return `${value.toFixed(2)} s`;
    case 'kB':
      return `${tenth(value)} kB`;
    case 'MB':
      return `${whole(value)} MB`;
    case 'MB/h':
      return `${value.toFixed(2)} MB/h`;
    case '/s':
      return `${whole(value)}/s`;
    case 'count':
      return whole(value);
  }
}

export function targetText({ target, unit }: Line): string {
  if (target === null) return '';
  return 'min' in target ? `at least ${inUnit(target.min, unit)}` : `under ${inUnit(target.under, unit)}`;
}

export function verdict(line: Line): string {
  if (line.target === null) return '';
  return isMet(line) ? 'ok' : 'missed';
}
