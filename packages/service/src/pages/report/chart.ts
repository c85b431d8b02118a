import { model, type ScoreBand } from '@reliability/scoring';
import { type Html, html } from '#kit/html.js';
import { shortDayText } from '../hosted/formats.js';
import type { Texts } from '../texts/texts.js';

export interface ChartPoint {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  /** YYYY-MM-DD */
  readonly day: string;
}

export interface ChartSize {
  /** Unique on the page. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Number of labels on the time axis. */
  readonly ticks: number;
  /** With more points only the line and the last one are drawn. Default: 24. */
  readonly maxDots?: number;
}

const MARGIN = { top: 12, right: 92, bottom: 26, left: 30 };
const MAX_DOTS = 24;

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  x(moment: number): number;
  y(score: number): number;
}

/**
 * The score over time.
 * @param points oldest first, at least one.
 * @param description the same in words, for screen readers.
 */
export function scoreChart(
  points: readonly ChartPoint[],
  description: string,
  { id, width, height, ticks, maxDots = MAX_DOTS }: ChartSize,
  { locale, report, bands }: Texts,
): Html {
  const frame = frameOf(points, width, height);
  return html`<svg id="${id}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${report.courseHeading}</title>
<desc id="${id}-description">${description}</desc>
${zones(frame, points.at(-1)?.scoreBand, bands)}
${timeAxis(frame, points, ticks, locale)}
<path class="line" d="${lineOf(points, frame)}"/>
${points.length <= maxDots && points.map((point) => dot(point, frame, 3.5))}
${points.slice(-1).map((point) => dot(point, frame, 5.5))}
</svg>`;
}

function frameOf(points: readonly ChartPoint[], width: number, height: number): Frame {
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
  const { startMs, spanMs } = spanOf(points);
  return {
    left,
    right,
    top,
    bottom,
    x: (moment) => tenths(left + ((moment - startMs) / Math.max(1, spanMs)) * (right - left)),
    y: (score) => tenths(bottom - (score / model.scoreMaximum) * (bottom - top)),
  };
}

/** The bands as stripes, with names on the right and limits on the left. */
function zones(
  frame: Frame,
  current: ScoreBand | undefined,
  names: Readonly<Record<ScoreBand, string>>,
): Html {
  return html`${model.bands.map(({ band, minimum }, rank) => {
    const end = model.bands[rank - 1]?.minimum ?? model.scoreMaximum;
    const [top, bottom] = [frame.y(end), frame.y(minimum)];
    const isCurrent = band === current;
    return html`<rect class="${rank % 2 === 0 ? 'stripe' : 'gap'}" x="${frame.left}" y="${top}" width="${frame.right - frame.left}" height="${tenths(bottom - top)}"/>
<text class="edge" x="${frame.left - 6}" y="${bottom + 4}">${minimum}</text>
<text class="${isCurrent ? 'zone-name current' : 'zone-name'}" x="${frame.right + 8}" y="${tenths((top + bottom) / 2) + 4}">${names[band]}</text>`;
  })}<text class="edge" x="${frame.left - 6}" y="${frame.top + 4}">${model.scoreMaximum}</text>`;
}

function timeAxis(frame: Frame, points: readonly ChartPoint[], ticks: number, locale: string): Html {
  const { startMs, spanMs } = spanOf(points);
  const moments = Array.from({ length: ticks }, (_, index) => startMs + (spanMs * index) / (ticks - 1));
  const names = moments.map((moment) => shortDayText(moment, locale));
  return html`${moments.map((moment, index) => {
    // Over a few days neighbouring labels are equal.
    if (index > 0 && names[index] === names[index - 1]) return null;
    const anchor = index === 0 ? 'start' : index === ticks - 1 ? 'end' : 'middle';
    const x = frame.x(moment);
    return html`<path class="tick" d="M${x} ${frame.bottom}v4"/><text class="moment ${anchor}" x="${x}" y="${frame.bottom + 19}">${names[index]}</text>`;
  })}`;
}

/** From the first point to the last; of a single point to the right edge. */
function lineOf(points: readonly ChartPoint[], { x, y, right }: Frame): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const line = rest.map((point) => `L${x(timeOf(point))} ${y(point.finalScore)}`).join('');
  return `M${x(timeOf(first))} ${y(first.finalScore)}${line || `H${right}`}`;
}

function dot(point: ChartPoint, { x, y }: Frame, radius: number): Html {
  return html`<circle class="dot" cx="${x(timeOf(point))}" cy="${y(point.finalScore)}" r="${radius}"/>`;
}

function spanOf(points: readonly ChartPoint[]): { startMs: number; spanMs: number } {
  const times = points.map(timeOf);
  const startMs = times[0] ?? 0;
  return { startMs, spanMs: (times.at(-1) ?? startMs) - startMs };
}

function timeOf({ day }: ChartPoint): number {
  return Date.parse(day);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export const chartCss = `
.chart { margin: 1rem 0; }
.chart svg { display: block; width: 100%; height: auto; margin-bottom: .5rem; }
.chart text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.chart .current { fill: var(--ink); font-weight: 650; }
.stripe { fill: var(--tint); }
.gap { fill: var(--slip); }
.edge, .end { text-anchor: end; }
.middle { text-anchor: middle; }
.tick { stroke: var(--edge); }
.line { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
.dot { fill: var(--accent); stroke: var(--slip); stroke-width: 1.5; }
.chart .large { display: none; }
@media (min-width: 40rem) { .chart .large { display: block; } .chart .small { display: none; } }
@media print { .chart .large { display: block; } .chart .small { display: none; } }
@media (forced-colors: active) { .stripe, .gap { fill: Canvas; } .line { stroke: CanvasText; } .dot { fill: CanvasText; } .chart text { fill: CanvasText; } }
`;
