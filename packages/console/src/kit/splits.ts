/*
 * Where the lines of a grid are: at round values, and at the beginnings of days, months and years in UTC, which are
 * the days of the service.
 */

/** At most so many round values. The ends move outwards to round ones, unless they are exact. */
export function splitsOfValues(low: number, high: number, isExact: boolean, most: number) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (ROUND.find((each) => each * power >= least) ?? 10) * power;
  const first = isExact ? Math.ceil(low / step) : Math.floor(low / step);
  const last = isExact ? Math.floor(high / step) : Math.ceil(high / step);
  const splits = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: isExact ? low : first * step, high: isExact ? high : last * step, splits };
}

const ROUND = [1, 2, 5, 10];
const DAY = 86_400;
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240];

/** At most so many times between two, each with its text in the language. */
export function splitsOfTime(from: number, to: number, most: number, locale: string) {
  const least = (to - from) / most;
  const days = DAYS.find((each) => each * DAY >= least);
  const months = MONTHS.find((each) => each * 28 * DAY >= least) ?? 1200;
  const times = days ? everyDays(days * DAY, from, to) : everyMonths(months, from, to);
  const options: Intl.DateTimeFormatOptions = days
    ? { day: 'numeric', month: 'short' }
    : months < 12
      ? { month: 'short', year: '2-digit' }
      : { year: 'numeric' };
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return times.map((time) => ({ time, text: format.format(time * 1000) }));
}

function everyDays(step: number, from: number, to: number): number[] {
  const times: number[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) times.push(time);
  return times;
}

function everyMonths(step: number, from: number, to: number): number[] {
  const times: number[] = [];
  const start = new Date(from * 1000);
  const month = (start.getUTCFullYear() - 1970) * 12 + start.getUTCMonth();
  for (let index = Math.floor(month / step); ; index += 1) {
    const time = Date.UTC(1970, index * step) / 1000;
    if (time > to) return times;
    if (time >= from) times.push(time);
  }
}
