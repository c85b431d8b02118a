import type { ScoreMoves } from '#domain/backtest/formulaFigures.js';
import { signedPoints } from '#domain/backtest/report.js';
import { type Html, html } from '#kit/html.js';

const MARGIN = { top: 18, bottom: 38 };
const SIZES = { large: { width: 720, height: 220 }, small: { width: 340, height: 200 } };

/** How many subjects would move by how many points. */
export function movesChart({ histogram }: ScoreMoves, description: string): Html {
  return html`<figure class="chart">
<div class="large">${drawing(histogram, description, 'large')}</div>
<div class="small">${drawing(histogram, description, 'small')}</div>
</figure>`;
}

function drawing(histogram: ScoreMoves['histogram'], description: string, size: 'large' | 'small'): Html {
  const { width, height } = SIZES[size];
  const bottom = height - MARGIN.bottom;
  const most = Math.max(1, ...histogram.map(({ subjects }) => subjects));
  const column = width / Math.max(1, histogram.length);
  // Every label needs some 40 px.
  const every = Math.ceil(40 / column);
  const name = `moves-${size}`;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${name}-title ${name}-description">
<title id="${name}-title">Moves of current scores</title>
<desc id="${name}-description">${description}</desc>
${histogram.map(({ from, subjects }, index) => {
  const barHeight = tenths((subjects / most) * (bottom - MARGIN.top));
  const [x, middle] = [tenths(index * column + 2), tenths((index + 0.5) * column)];
  return html`<rect class="bar" x="${x}" y="${tenths(bottom - barHeight)}" width="${tenths(Math.max(1, column - 4))}" height="${barHeight}"/>
${every === 1 && subjects > 0 && html`<text class="middle" x="${middle}" y="${tenths(bottom - barHeight - 5)}">${subjects}</text>`}
${index % every === 0 && html`<text class="middle" x="${middle}" y="${bottom + 16}">${signedPoints(from, 0)}</text>`}`;
})}
<text class="middle" x="${width / 2}" y="${bottom + 34}">points from this number on, in ranges of five</text>
</svg>`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
