import { language } from './texts.ts';

/** BCP 47: English dates as written in Britain, with the day first. */
function locale(): string {
  return language.value === 'de' ? 'de-DE' : 'en-GB';
}

type Format = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.PluralRules;

const made = new Map<string, Format>();

function once<Made extends Format>(name: string, make: (locale: string) => Made): Made {
  const key = `${locale()} ${name}`;
  const known = made.get(key) as Made | undefined;
  if (known) return known;
  const format = make(locale());
  made.set(key, format);
  return format;
}

export function formatNumber(value: number, digits = 0): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return once(`number ${digits}`, (tag) => new Intl.NumberFormat(tag, options)).format(value);
}

/** A score or a limit on it: whole points without decimals. */
export function formatPoints(points: number): string {
  return formatNumber(points, Number.isInteger(points) ? 0 : 2);
}

/** "1 row", "2 rows": a number with its noun, in the form that the language needs. */
export function counted(count: number, one: string, other: string): string {
  const form = once('plural', (tag) => new Intl.PluralRules(tag)).select(count);
  return `${formatNumber(count)} ${form === 'one' ? one : other}`;
}

/** With its sign, for changes: +2.50, −1.00, ±0.00. */
export function formatChange(value: number, digits = 2): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
  return sign + formatNumber(Math.abs(value), digits);
}

export function formatPercent(share: number, digits = 0): string {
  const options = { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return once(`percent ${digits}`, (tag) => new Intl.NumberFormat(tag, options)).format(share);
}

/** In the zone of the reader. */
export function formatMoment(at: string | Date, withSeconds = false): string {
  const timeStyle = withSeconds ? 'medium' : 'short';
  return once(
    `moment ${timeStyle}`,
    (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle }),
  ).format(new Date(at));
}

/** A day of the service, which counts in UTC. */
export function formatDay(day: string | Date): string {
  return once('day', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' })).format(
    new Date(day),
  );
}

/** As stored, for titles. */
export function utcText(at: string | Date): string {
  return `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** "in 3 hours", "2 days ago". */
export function formatDistance(at: string | Date, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? (['second', 1] as const);
  return once('distance', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })).format(
    Math.round(seconds / size),
    unit,
  );
}
