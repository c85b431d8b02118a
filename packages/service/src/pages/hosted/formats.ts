import { type Html, html } from '#kit/html.js';
import type { Texts } from '../texts/texts.js';

/** A timestamp in the reader's language: `21 November 2026, 11:05 UTC`. */
export function momentText(moment: Date, { locale, utc }: Texts): string {
  return `${dayText(moment, locale)}, ${times(locale).format(moment)} ${utc}`;
}

/** The same as an element, which `local-times.js` shows in the time zone of the reader. */
export function momentElement(moment: Date, texts: Texts): Html {
  return html`<time datetime="${moment.toISOString()}">${momentText(moment, texts)}</time>`;
}

/** The date of a claim: a day or a timestamp. */
export function dateText(text: string, texts: Texts): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return text.includes('T') ? momentText(moment, texts) : dayText(moment, texts.locale);
}

/** A day in UTC: `21 November 2026`. */
export function dayText(moment: Date, locale: string): string {
  return days(locale).format(moment);
}

/** A day in a chart: `21 Nov 2026`. */
export function shortDayText(moment: number, locale: string): string {
  return shortDays(locale).format(moment);
}

/** A value in the platform's own unit, with all its digits. */
export function valueText(value: number, { locale }: Texts): string {
  return values(locale).format(value);
}

/** A count. */
export function countText(count: number, { locale }: Texts): string {
  return counts(locale).format(count);
}

/** A share or a confidence, with at most 2 decimals. */
export function roundedText(value: number, { locale }: Texts): string {
  return rounded(locale).format(value);
}

/** A share with one decimal: `12.5 %`. */
export function percentText(share: number, { locale }: Texts): string {
  return `${tenths(locale).format(Number((share * 100).toFixed(1)))} %`;
}

/** A score with 2 decimals. */
export function scoreText(finalScore: number, { locale }: Texts): string {
  return scores(locale).format(finalScore);
}

/** Points with their sign. */
export function pointsText(points: number, texts: Texts): string {
  const sign = points === 0 ? '' : points < 0 ? '−' : '+';
  return `${sign}${scoreText(Math.abs(points), texts)}`;
}

const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }));
const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
const shortDays = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const values = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }));
const counts = perLocale((locale) => new Intl.NumberFormat(locale));
const rounded = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
const tenths = perLocale((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }));
const scores = perLocale((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }));

/** Creating a formatter takes fifty times as long as using it, and its memory is released late. */
function perLocale<Formatter>(make: (locale: string) => Formatter): (locale: string) => Formatter {
  const created = new Map<string, Formatter>();
  return (locale) => {
    const formatter = created.get(locale) ?? make(locale);
    created.set(locale, formatter);
    return formatter;
  };
}
