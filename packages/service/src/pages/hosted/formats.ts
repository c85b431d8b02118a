import type { Texts } from '../texts/texts.js';

/** A moment in the reader's language: `21 November 2026, 11:05 UTC`. */
export function momentText(moment: Date, { locale, utc }: Texts): string {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(moment);
  return `${dayText(moment, locale)}, ${time} ${utc}`;
}

/** Of a claim's date, which is a day or a timestamp. */
export function dateText(text: string, texts: Texts): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return text.includes('T') ? momentText(moment, texts) : dayText(moment, texts.locale);
}

function dayText(moment: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(moment);
}

/** A value in the platform's own unit, none of its digits lost. */
export function valueText(value: number, { locale }: Texts): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value);
}
