import { type ScoreBand, scoreBands } from '@reliability/scoring';

/** `none`: there is no score yet. */
export type DisplayBand = ScoreBand | 'none';

export type Theme = 'light' | 'dark';

export interface BandColors {
  readonly ground: string;
  readonly ink: string;
}

/** The contrast of ink on ground is at least 4.5 (WCAG 2.2, 1.4.3). The text repeats what the colour says. */
export const bandColors: Readonly<Record<DisplayBand, Readonly<Record<Theme, BandColors>>>> = {
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

export const displayBands: readonly DisplayBand[] = [...scoreBands, 'none'];

/** The class that sets the colours of a band as `--ground` and `--ink`. */
export function bandClass(band: DisplayBand): string {
  return `band-${band.toLowerCase().replace(' ', '-')}`;
}
