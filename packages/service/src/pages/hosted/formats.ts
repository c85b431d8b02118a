import type { Texts } from '../texts/texts.js';

/** A moment in the reader's language: `21 November 2026, 11:05 UTC`. */
export function momentText(moment: Date, { locale, utc }: Texts): string {
  return `${dayText(moment, locale)}, ${times(locale).format(moment)} ${utc}`;
}

/** Of a claim's date, which is a day or a timestamp. */
export function dateText(text: string, texts: Texts): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return text.includes('T') ? momentText(moment, texts) : dayText(moment, texts.locale);
}

function dayText(moment: Date, locale: string): string {
  return days(locale).format(moment);
}

/** A value in the platform's own unit, none of its digits lost. */
export function valueText(value: number, { locale }: Texts): string {
  return values(locale).format(value);
}

/** A number of things. */
export function countText(count: number, { locale }: Texts): string {
  return counts(locale).format(count);
}

/** A share or a confidence, no finer than by the hundredth. */
export function roundedText(value: number, { locale }: Texts): string {
  return rounded(locale).format(value);
}

/** A score, with both its decimals. */
export function scoreText(finalScore: number, { locale }: Texts): string {
  return scores(locale).format(finalScore);
}

const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }));
const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
const values = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }));
const counts = perLocale((locale) => new Intl.NumberFormat(locale));
const rounded = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
const scores = perLocale((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }));

/** To make a formatter takes fifty times as long as to use it, and memory that is given back late. */
function perLocale<Formatter>(make: (locale: string) => Formatter): (locale: string) => Formatter {
  const made = new Map<string, Formatter>();
  return (locale) => {
    const formatter = made.get(locale) ?? make(locale);
    made.set(locale, formatter);
    return formatter;
  };
}
