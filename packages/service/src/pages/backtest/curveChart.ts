import type { CurvePoint } from '#domain/backtest/formulaFigures.js';
import { type Html, html } from '#kit/html.js';
import { axisOf, shareText } from './axis.js';

const MARGIN = { top: 10, right: 12, bottom: 40, left: 48 };
const SIZES = { large: { width: 720, height: 320, step: 10 }, small: { width: 340, height: 260, step: 20 } };

/** Predicted and observed kept rates by score. Ranges with too few pairs are not drawn. */
export function curveChart(curve: readonly CurvePoint[], description: string): Html {
  return html`<figure class="chart">
<div class="large">${drawing(curve, description, 'large')}</div>
<div class="small">${drawing(curve, description, 'small')}</div>
<figcaption><span class="key-line"></span> predicted from one half of the subjects <span class="key-dot"></span> observed in the other half, with 95 % interval</figcaption>
</figure>`;
}

function drawing(curve: readonly CurvePoint[], description: string, size: 'large' | 'small'): Html {
  const { width, height, step } = SIZES[size];
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
  const shown = curve.filter(({ kept, predicted }) => kept !== null || predicted !== null);
  const first = Math.floor(Math.min(100 - step, ...shown.map(({ from }) => from)) / step);
  const last = Math.ceil(Math.max(step, ...shown.map(({ to }) => to)) / step);
  const scores = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const rates = axisOf(
    shown
      .flatMap(({ kept, predicted, ci95 }) => [kept, predicted, ...(ci95 ?? [])])
      .filter((rate) => rate !== null),
    shareText,
  );
  const x = (score: number) =>
    tenths(left + ((score - first * step) / ((last - first) * step)) * (right - left));
  const y = (rate: number) =>
    tenths(bottom - ((rate - rates.from) / (rates.to - rates.from)) * (bottom - top));
  const name = `curve-${size}`;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${name}-title ${name}-description">
<title id="${name}-title">Kept outcomes by score</title>
<desc id="${name}-description">${description}</desc>
${rates.ticks.map(
  (rate) => html`<path class="grid" d="M${left} ${y(rate)}H${right}"/>
<text class="end" x="${left - 6}" y="${y(rate) + 4}">${rates.tickText(rate)}</text>`,
)}
${scores.map((score) => html`<text class="middle" x="${x(score)}" y="${bottom + 17}">${score}</text>`)}
<text class="middle" x="${tenths((left + right) / 2)}" y="${bottom + 35}">score at the cut-off</text>
${shown.map(({ from, to, predicted }) => predicted !== null && html`<path class="line" d="M${x(from)} ${y(predicted)}H${x(to)}"/>`)}
${shown.map(({ from, to, kept, ci95 }) => {
  if (kept === null) return null;
  const middle = x((from + to) / 2);
  return html`${ci95 && html`<path class="interval" d="M${middle} ${y(ci95[0])}V${y(ci95[1])}"/>`}<circle class="dot" cx="${middle}" cy="${y(kept)}" r="4"/>`;
})}
</svg>`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
