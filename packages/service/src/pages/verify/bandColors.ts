import { type ScoreBand, scoreBands } from '@reliability/scoring';

/** `none`: before the first score. */
export type ShownBand = ScoreBand | 'none';

export type Theme = 'light' | 'dark';

export interface BandColors {
  readonly ground: string;
  readonly ink: string;
}

/** Ink on ground has a contrast of 4.5 at least (WCAG 2.2, 1.4.3). Words say the same as the colours. */
export const bandColors: Readonly<Record<ShownBand, Readonly<Record<Theme, BandColors>>>> = {
  Excellent: { light: colors('#0b6b50', '#fff'), dark: colors('#7fdcb8', '#08271d') },
  Good: { light: colors('#3f6b1c', '#fff'), dark: colors('#b2d98b', '#17260a') },
  Fair: { light: colors('#8a5700', '#fff'), dark: colors('#f2c56b', '#2b1c00') },
  Building: { light: colors('#285f9e', '#fff'), dark: colors('#9cc5f6', '#0a2038') },
  Unproven: { light: colors('#575d66', '#fff'), dark: colors('#c3c8cf', '#1d2125') },
  'High Risk': { light: colors('#a8321f', '#fff'), dark: colors('#ffab9c', '#3a0d05') },
  none: { light: colors('#e9e7e0', '#454b53'), dark: colors('#343a40', '#d5d9de') },
};

function colors(ground: string, ink: string): BandColors {
  return { ground, ink };
}

export const shownBands: readonly ShownBand[] = [...scoreBands, 'none'];

/** Carries the colours of a band, as `--ground` and `--ink`. */
export function bandClass(band: ShownBand): string {
  return `band-${band.toLowerCase().replace(' ', '-')}`;
}
