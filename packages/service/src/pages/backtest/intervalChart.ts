import { type Html, html } from '#kit/html.js';
import type { Axis } from './axis.js';

/** One line of the chart: a rate with its interval, or a name alone where there are too few pairs. */
export interface IntervalRow {
  readonly name: string;
  readonly value: number | null;
  readonly ci95: readonly [number, number] | null;
  /** On the right, such as `98.1 %`. */
  readonly text: string;
  /** Below the text, such as `of 431`. */
  readonly note: string;
  readonly isMain?: boolean;
}

interface ChartOptions {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The same in words, for screen readers. */
  readonly description: string;
  readonly axis: Axis;
}

const ROW_HEIGHT = 40;
const AXIS_HEIGHT = 24;
const LARGE = { width: 720, names: 130, texts: 96 };
const SMALL = { width: 340, names: 104, texts: 76 };

/** Rates as points with their 95 % intervals. Drawn twice, so that the texts are readable at every width. */
export function intervalChart(rows: readonly IntervalRow[], options: ChartOptions): Html {
  return html`<figure class="chart">
<div class="large">${drawing(rows, options, 'large')}</div>
<div class="small">${drawing(rows, options, 'small')}</div>
</figure>`;
}

function drawing(
  rows: readonly IntervalRow[],
  { id, title, description, axis }: ChartOptions,
  size: 'large' | 'small',
): Html {
  const { width, names, texts } = size === 'large' ? LARGE : SMALL;
  const [left, right] = [names, width - texts];
  const bottom = rows.length * ROW_HEIGHT;
  const x = (value: number) => {
    const share = (value - axis.from) / (axis.to - axis.from);
    return tenths(left + Math.min(1, Math.max(0, share)) * (right - left));
  };
  const name = `${id}-${size}`;
  return html`<svg viewBox="0 0 ${width} ${bottom + AXIS_HEIGHT}" role="img" aria-labelledby="${name}-title ${name}-description">
<title id="${name}-title">${title}</title>
<desc id="${name}-description">${description}</desc>
${axis.ticks.map(
  (tick) => html`<path class="grid" d="M${x(tick)} 0V${bottom}"/>
<text class="middle" x="${x(tick)}" y="${bottom + 17}">${axis.tickText(tick)}</text>`,
)}
${rows.map((row, index) => rowOf(row, index * ROW_HEIGHT + ROW_HEIGHT / 2, { x, right }))}
</svg>`;
}

function rowOf(
  { name, value, ci95, text, note, isMain }: IntervalRow,
  y: number,
  { x, right }: { x(value: number): number; right: number },
): Html {
  return html`<text class="${isMain ? 'strong' : 'name'}" x="0" y="${y + 4}">${name}</text>
${ci95 && html`<path class="interval" d="M${x(ci95[0])} ${y}H${x(ci95[1])}"/>`}
${value !== null && html`<circle class="dot" cx="${x(value)}" cy="${y}" r="${isMain ? 6 : 4.5}"/>`}
<text class="${isMain ? 'strong' : 'name'}" x="${right + 12}" y="${y - 1}">${text}</text>
<text x="${right + 12}" y="${y + 13}">${note}</text>`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
