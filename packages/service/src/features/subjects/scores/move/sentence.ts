import { apportion, type Day, dayFromIso } from '@reliability/scoring';
import { fill } from '#domain/fill.js';
import type { RecordWords } from '#domain/recordWords.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Move } from './schemas.js';

type Part = Move['parts'][number];

/** Moves from here on are told in whole points, smaller ones in hundredths. */
const WHOLE_POINTS_FROM = 5;
/** More parts than these are told as one. */
const MAX_CLAUSES = 6;
/** Only parts that are this share of the move, or more, are told with names. */
const NAMED_SHARE = 0.1;
const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 40;

/**
 * A move in one sentence. Its numbers add up as well: where they are whole points, they are rounded to the move
 * between the rounded scores (largest remainder).
 * @param isLatest whether the move reaches to the present score.
 */
export function sentenceOf(
  { baseline, from, to, delta, parts }: Omit<Move, 'sentence' | 'userId'>,
  { isLatest, today }: { isLatest: boolean; today: Day },
  words: RecordWords,
): string {
  const { move } = words;
  const isWhole = Math.abs(delta) >= WHOLE_POINTS_FROM;
  const digits = isWhole ? 0 : 2;
  const number = (value: number) => value.toFixed(digits).replace('.', words.decimalPoint);
  const shown = isWhole
    ? wholePoints(from.finalScore, to.finalScore, parts)
    : parts.map(({ points }) => points);
  const clauses = parts
    .map((part, index) => ({ part, points: shown[index] ?? 0 }))
    .filter(({ points }) => points !== 0);
  const told = clauses.length > MAX_CLAUSES ? clauses.slice(0, MAX_CLAUSES - 1) : clauses;
  const rest = clauses.slice(told.length).reduce((sum, { points }) => sum + points, 0);
  const signed = (points: number) => `${points < 0 ? '−' : '+'}${number(Math.abs(points))}`;
  const texts = [
    ...told.map(({ part, points }) => {
      const isNamed = part.points * delta >= NAMED_SHARE * delta ** 2;
      return clauseOf(part, signed(points), isNamed, words);
    }),
    ...(clauses.length > told.length ? [fill(move.plain, { what: move.rest, points: signed(rest) })] : []),
  ];
  const [first, last] = [dayFromIso(from.day), dayFromIso(to.day)];
  const period = fill(isLatest ? move.since : last - first === 1 ? move.on : move.between, {
    from: dayText(first, today, move.locale),
    to: dayText(last, today, move.locale),
  });
  const sentence = delta < 0 ? move.fell : delta > 0 ? move.rose : move.same;
  const start = number(isWhole ? wholeOf(from.finalScore) : from.finalScore);
  const text = fill(sentence, {
    from: baseline === 'blank' ? fill(move.blank, { from: start }) : start,
    to: number(isWhole ? wholeOf(to.finalScore) : to.finalScore),
    period,
  });
  return texts.length === 0 ? `${text}.` : `${text}: ${texts.join('; ')}.`;
}

function wholePoints(from: number, to: number, parts: readonly Part[]): number[] {
  // `apportion` works in hundredths.
  return apportion(
    parts.map(({ points }) => points / 100),
    wholeOf(to) - wholeOf(from),
  );
}

function wholeOf(score: number): number {
  return Math.round(score);
}

function clauseOf(part: Part, points: string, isNamed: boolean, words: RecordWords): string {
  const what = whatOf(part, words);
  const names = isNamed ? namesOf(part) : '';
  return names ? fill(words.move.named, { what, names, points }) : fill(words.move.plain, { what, points });
}

function whatOf({ kind, eventType, only, count }: Part, { move }: RecordWords): string {
  if (kind !== 'outcomes') return move[kind];
  const key = eventType === undefined ? 'elsewhere' : only ? (`${eventType} ${only}` as const) : eventType;
  const texts = (move.outcomes as Readonly<Record<string, { one: string; several: string }>>)[key];
  if (!texts) throw new Error(`there are no words for outcomes of the kind ${key}`);
  return count === 1 ? texts.one : fill(texts.several, { count: move.numbers[count] ?? count });
}

/** The first counterparties; an ellipsis where there are others, or some have no name. Empty: no name is known. */
function namesOf({ outcomes, count }: Part): string {
  const named = outcomes.flatMap(({ confirmedBy }) => (confirmedBy === null ? [] : [plain(confirmedBy)]));
  const names = [...new Set(named)].filter(Boolean);
  if (names.length === 0) return '';
  const shown = names.length > MAX_NAMES ? names.slice(0, MAX_NAMES - 1) : names;
  return shown.join(', ') + (shown.length < names.length || named.length < count ? ' …' : '');
}

/** On one line, without marks that would reorder the sentence around it. */
function plain(name: string): string {
  const text = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u2066-\u2069\u202a-\u202e]/gu, ' ').trim();
  const characters = [...text];
  return characters.length <= MAX_NAME_LENGTH
    ? text
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

/** With its year where that is not the present one. */
function dayText(day: Day, today: Day, locale: string): string {
  const [date, now] = [new Date(day * DAY_MS), new Date(today * DAY_MS)];
  const year = date.getUTCFullYear() === now.getUTCFullYear() ? {} : ({ year: 'numeric' } as const);
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', ...year, timeZone: 'UTC' });
  return format.format(date);
}
