import { dayFromIso, isoFromDay } from '@reliability/scoring';
import type { DayWindow } from '../../domain/dayWindow.js';

/** An entry for each day of the window, oldest first; `of` answers for days on which nothing was counted, too. */
export function everyDay<T>({ from, days }: DayWindow, of: (date: string) => T): T[] {
  const first = dayFromIso(from);
  return Array.from({ length: days }, (_, index) => of(isoFromDay(first + index)));
}
