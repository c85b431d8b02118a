import type { Bench } from './bench.js';
import type { ProfiledLoad } from './profileLoad.js';

/** A bench program: measures one thing and answers its lines of the report. */
export interface Figure {
  readonly name: string;
  measure(bench: Bench): Promise<Line[] | Measured>;
}

/** Lines with something to show beneath them. */
export interface Measured {
  readonly lines: readonly Line[];
  /** Markdown. */
  readonly appendix: string;
}

/** One line of the report. */
export interface Line {
  /** What was measured, such as `POST /events, 64 connections`. */
  readonly what: string;
  /** On which engine, in which arrangement. */
  readonly setting: string;
  readonly value: string;
  /** What the value is held against, measured in the same run; empty for a limit in plain units. */
  readonly against: string;
  /** The number that is held against the target, and how it is written. */
  readonly measure: number;
  readonly unit: Unit;
  /** null: told beside the others, held against nothing. */
  readonly target: Target | null;
  /** Where to look when it falls short. */
  readonly profile?: ProfiledLoad;
}

export type Unit = 'ratio' | 'ms' | 's' | 'MB';
export type Target = { readonly least: number } | { readonly under: number };

export function isMet({ measure, target }: Line): boolean {
  if (target === null) return true;
  return 'least' in target ? measure >= target.least : measure < target.under;
}

/** Repeated measurements of one thing. */
export class Samples {
  readonly #values: number[] = [];

  add(value: number): void {
    this.#values.push(value);
  }

  get median(): number {
    return this.percentile(50);
  }

  /** The smallest value that so many percent of the values do not exceed; NaN without values. The median lies between two. */
  percentile(percent: number): number {
    const sorted = [...this.#values].sort((a, b) => a - b);
    if (percent === 50) {
      const half = sorted.length / 2;
      return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
    }
    return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
  }

  get least(): number {
    return Math.min(...this.#values);
  }

  get most(): number {
    return Math.max(...this.#values);
  }

  /** `3 912/s (3 801 to 4 020)` */
  perSecond(name = ''): string {
    const label = name === '' ? '' : `${name} `;
    return `${label}${whole(this.median)}/s (${whole(this.least)} to ${whole(this.most)})`;
  }

  /** `12.3 ms (11.9 to 14.0)` */
  milliseconds(name = ''): string {
    const label = name === '' ? '' : `${name} `;
    return `${label}${tenth(this.median)} ms (${tenth(this.least)} to ${tenth(this.most)})`;
  }
}

export function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ');
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
    case 'MB':
      return `${whole(value)} MB`;
  }
}

export function targetText({ target, unit }: Line): string {
  if (target === null) return '';
  return 'least' in target ? `at least ${inUnit(target.least, unit)}` : `under ${inUnit(target.under, unit)}`;
}

export function verdict(line: Line): string {
  if (line.target === null) return '';
  return isMet(line) ? 'ok' : 'short';
}
