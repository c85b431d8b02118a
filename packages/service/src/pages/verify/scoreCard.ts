import { model, type ScoreBand } from '@reliability/scoring';
import { type Html, html } from '#kit/html.js';
import { bandClass, bandColors, type DisplayBand, displayBands, type Theme } from './bandColors.js';

const SCALE = { width: 400, height: 20, top: 9, gap: 2 };

/** The score on the scale of bands. Decorative: the text says the same. */
export function bandScale(finalScore: number | null, scoreBand: ScoreBand | null): Html {
  const xOf = (score: number) => (score / model.scoreMaximum) * SCALE.width;
  const zones = model.bands.map(({ band, minimum }, rank) => {
    const end = model.bands[rank - 1]?.minimum ?? model.scoreMaximum;
    const width = xOf(end) - xOf(minimum) - SCALE.gap;
    const pale = band === scoreBand ? '' : ' pale';
    return html`<rect class="zone ${bandClass(band)}${pale}" x="${xOf(minimum) + SCALE.gap / 2}" y="${SCALE.top}" width="${width}" height="${SCALE.height - SCALE.top}" rx="2"/>`;
  });
  const mark = finalScore === null ? null : xOf(finalScore);
  return html`<svg class="scale" viewBox="0 0 ${SCALE.width} ${SCALE.height}" aria-hidden="true">${zones}${
    mark !== null && html`<path class="mark" d="M${mark} 7l-4.5-6.5h9z"/>`
  }</svg>`;
}

/** For every page that shows a band or the scale. */
export const scoreCardCss = scoreCardCssOf(displayBands);

/** @param bands those that the page shows. */
export function scoreCardCssOf(bands: readonly DisplayBand[]): string {
  const rules = (theme: Theme) => bands.map((band) => rule(band, theme)).join(' ');
  return `
${rules('light')}
@media (prefers-color-scheme: dark) { ${rules('dark')} }
.score-card { display: grid; gap: 1rem; padding-bottom: 1.375rem; }
.score-card p { margin: 0; }
.score { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
.score strong { font-size: clamp(2.75rem, 2rem + 4vw, 3.75rem); line-height: 1; letter-spacing: -.03em; font-weight: 680; font-variant-numeric: tabular-nums; }
.score .of { color: var(--soft); }
.band { display: inline-block; background: var(--ground); color: var(--ink); border-radius: 999px; padding: .25rem .875rem; font-weight: 650; }
.scale { width: 100%; height: auto; overflow: visible; }
.zone { fill: var(--ground); }
.pale { opacity: .3; }
.mark { fill: currentColor; }
@media (forced-colors: active) { .band { border: 1px solid; } .zone { fill: CanvasText; } }
@media print { .band { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
}

function rule(band: DisplayBand, theme: Theme): string {
  const { ground, ink } = bandColors[band][theme];
  return `.${bandClass(band)} { --ground: ${ground}; --ink: ${ink}; }`;
}
