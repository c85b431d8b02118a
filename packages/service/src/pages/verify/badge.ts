import { model, scoreBands } from '@reliability/scoring';
import { type Html, html } from '#kit/html.js';
import type { SharedScore } from '../../features/sharing/verify/sharedRecords.js';
import { type Stylesheet, stylesheet } from '../hosted/style.js';
import { bandColors, type DisplayBand, type Theme } from './bandColors.js';

/** `auto` follows the viewer's colour scheme. */
export type BadgeTheme = Theme | 'auto';

export interface Badge {
  readonly svg: string;
  /** CSP hash of its style. */
  readonly styleHash: string;
}

const HEIGHT = 28;
const BASELINE = 18.5;
const BARS = { left: 11, width: 3, step: 4.5, bottom: 20, minHeight: 4, rise: 2 };
const LABEL = { text: 'Reliability', left: 45, width: 55.6 };
const RIGHT_PART = LABEL.left + LABEL.width + 10;
const PADDING = 10;

/** Text widths of the right part in the font below at 13 px. `textLength` forces them on other fonts. */
const bandWidths: Readonly<Record<DisplayBand, number>> = {
  Excellent: 57.1,
  Good: 33.9,
  Fair: 23.8,
  Building: 52,
  Unproven: 60.7,
  'High Risk': 60,
  none: 78,
};
const REVIEW = { text: ', under review', width: 87.4 };

/** What a badge shows. */
export type BadgeContent = Pick<SharedScore, 'finalScore' | 'scoreBand' | 'frozen'> & {
  /** The UTC date of registration. */
  readonly registeredOn: string;
};

/** The badge of a record: its band as text, colour and bars. null: there is no score yet. */
export function badge(score: BadgeContent | null, theme: BadgeTheme): Badge {
  const band = score?.scoreBand ?? 'none';
  const frozen = score?.frozen ?? false;
  const text = `${band === 'none' ? 'No score yet' : band}${frozen ? REVIEW.text : ''}`;
  const textWidth = bandWidths[band] + (frozen ? REVIEW.width : 0);
  const width = Math.ceil(RIGHT_PART + PADDING + textWidth + PADDING);
  const style = styleOf(band, theme);
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">${titleOf(score, text)}</title>
${style.element}
<rect class="paper" x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="6.5"/>
<path class="ground" d="M${RIGHT_PART} 0H${width - 7}a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7H${RIGHT_PART}z"/>
${bars(band)}
<g aria-hidden="true">
<text class="label" x="${LABEL.left}" y="${BASELINE}" textLength="${LABEL.width}">${LABEL.text}</text>
<text class="band" x="${RIGHT_PART + PADDING}" y="${BASELINE}" textLength="${round(textWidth)}">${text}</text>
</g>
</svg>
`;
  return { svg: svg.text, styleHash: style.hash };
}

function titleOf(score: BadgeContent | null, text: string): string {
  if (!score) return 'Reliability: no score yet';
  const { finalScore, registeredOn } = score;
  return `Reliability: ${text}. Score ${finalScore.toFixed(2)} of ${model.scoreMaximum}, on record since ${registeredOn}`;
}

/** One bar per band. Bands that are not reached are pale. */
function bars(band: DisplayBand): Html {
  const reached = band === 'none' ? 0 : scoreBands.length - scoreBands.indexOf(band);
  const each = scoreBands.map((_, index) => {
    const height = BARS.minHeight + index * BARS.rise;
    const kind = index < reached ? 'bar' : 'pale bar';
    return html`<rect class="${kind}" x="${BARS.left + index * BARS.step}" y="${BARS.bottom - height}" width="${BARS.width}" height="${height}" rx="1"/>`;
  });
  return html`<g aria-hidden="true">${each}</g>`;
}

const styles = new Map<string, Stylesheet>();

function styleOf(band: DisplayBand, theme: BadgeTheme): Stylesheet {
  const key = `${theme} ${band}`;
  const style = styles.get(key) ?? stylesheet(cssOf(band, theme));
  styles.set(key, style);
  return style;
}

function cssOf(band: DisplayBand, theme: BadgeTheme): string {
  const shape =
    'text{font:13px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}.band{font-weight:700}.pale{opacity:.28}';
  if (theme !== 'auto') return shape + colorsOf(band, theme);
  return `${shape}${colorsOf(band, 'light')}@media(prefers-color-scheme:dark){${colorsOf(band, 'dark')}}`;
}

const surfaces: Readonly<Record<Theme, { paper: string; edge: string; ink: string }>> = {
  light: { paper: '#fffefb', edge: '#c9c5b9', ink: '#22262b' },
  dark: { paper: '#1d2125', edge: '#4a5159', ink: '#e3e5e8' },
};

function colorsOf(band: DisplayBand, theme: Theme): string {
  const { paper, edge, ink } = surfaces[theme];
  const { ground, ink: bandInk } = bandColors[band][theme];
  return `.paper{fill:${paper};stroke:${edge}}.label,.bar{fill:${ink}}.ground{fill:${ground}}.band{fill:${bandInk}}`;
}

function round(width: number): number {
  return Math.round(width * 10) / 10;
}
