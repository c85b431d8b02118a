import type { CurvePoint } from '#domain/backtest/formulaFigures.js';
import { type Html, html } from '#kit/html.js';

const MARGIN = { top: 10, right: 12, bottom: 40, left: 48 };
const SIZES = { large: { width: 720, height: 320, step: 10 }, small: { width: 340, height: 260, step: 20 } };
const RATES = [0, 0.25, 0.5, 0.75, 1];

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
  const x = (score: number) => tenths(left + (score / 100) * (right - left));
  const y = (rate: number) => tenths(bottom - rate * (bottom - top));
  const scores = Array.from({ length: 100 / step + 1 }, (_, index) => index * step);
  const name = `curve-${size}`;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${name}-title ${name}-description">
<title id="${name}-title">Kept outcomes by score</title>
<desc id="${name}-description">${description}</desc>
${RATES.map(
  (rate) => html`<path class="grid" d="M${left} ${y(rate)}H${right}"/>
<text class="end" x="${left - 6}" y="${y(rate) + 4}">${rate * 100} %</text>`,
)}
${scores.map((score) => html`<text class="middle" x="${x(score)}" y="${bottom + 17}">${score}</text>`)}
<text class="middle" x="${tenths((left + right) / 2)}" y="${bottom + 35}">score at the cut-off</text>
${curve.map(({ from, to, predicted }) => predicted !== null && html`<path class="line" d="M${x(from)} ${y(predicted)}H${x(to)}"/>`)}
${curve.map(({ from, to, kept, ci95 }) => {
  if (kept === null) return null;
  const middle = x((from + to) / 2);
  return html`${ci95 && html`<path class="interval" d="M${middle} ${y(ci95[0])}V${y(ci95[1])}"/>`}<circle class="dot" cx="${middle}" cy="${y(kept)}" r="4"/>`;
})}
</svg>`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
