import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Half, weigh } from '../src/halves.js';
import {
  dayFromIso,
  type EventType,
  foldTallies,
  type OutcomeFacts,
  type StakeLevel,
  score,
} from '../src/index.js';
import { exactScore } from '../src/score.js';

const page = readFileSync(new URL('../../../docs/FORMULA.md', import.meta.url), 'utf8');
const [, example = ''] = page.split(/^## A worked example$/m);
const [text = ''] = example.split(/^## /m);
const createdAt = new Date('2026-06-30T12:00:00Z');
const asOf = dayFromIso('2026-06-30');
const events = tableRows(text)
  .filter(([type]) => /^[A-Z]+_[A-Z]+$/.test(type))
  .map(([eventType, stakeLevel, verified, completed, due]) => ({
    eventType: eventType as EventType,
    stakeLevel: stakeLevel as StakeLevel,
    platformTier: 'ENTERPRISE',
    isVerified: verified === 'yes',
    createdAt,
    completedAt: dateOf(completed),
    dueDate: dateOf(due),
  })) satisfies OutcomeFacts[];
const tallies = foldTallies(events);
const weighed = weigh(tallies, asOf);

describe('the worked example of docs/FORMULA.md', () => {
  test('holds events of both halves', () => expect(events).toHaveLength(6));

  test.each([
    ['P', ({ sums }: Half) => sums.positive],
    ['B', ({ sums }: Half) => sums.breach],
    ['X', ({ sums }: Half) => sums.contested],
    ['N', ({ sums }: Half) => sums.outcomes],
    ['M', ({ mass }: Half) => mass],
    ['C', ({ completion }: Half) => completion],
    ['T', ({ timeliness }: Half) => timeliness],
    ['S', ({ disputes }: Half) => disputes],
    ['V', ({ verification }: Half) => verification],
    ['Q', ({ quality }: Half) => quality],
    ['g', ({ gate }: Half) => gate],
  ])('has the %s of both halves', (name, of) => {
    const [, verified, unverified] = tableRows(text).find(([label]) => label === name) ?? [];
    expect(resultOf(verified)).toBeCloseTo(of(weighed.verified), 4);
    expect(resultOf(unverified)).toBeCloseTo(of(weighed.unverified), 4);
  });

  test('ends with the score that the code computes', () => {
    expect(resultOf(lineOf('s'))).toBeCloseTo(exactScore(weighed), 4);
    const { finalScore, scoreBand, confidence, behavioralQuality } = score(tallies, asOf) ?? {};
    expect(resultOf(lineOf('`finalScore`'))).toBe(finalScore);
    expect(lineOf('`scoreBand`')).toBe(scoreBand);
    expect(resultOf(lineOf('`confidence`'))).toBe(confidence);
    expect(resultOf(lineOf('`behavioralQuality`'))).toBe(behavioralQuality);
  });
});

function tableRows(markdown: string): [string, ...string[]][] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) => {
    const [first = '', ...others] = row.split('|').slice(1, -1);
    return [first.trim(), ...others.map((cell) => cell.trim())];
  });
}

function lineOf(name: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.startsWith(`- ${name} = `))
    ?.slice(`- ${name} = `.length);
}

/** The number that a calculation ends with. */
function resultOf(calculation: string | undefined): number {
  return Number(calculation?.split('=').at(-1));
}

function dateOf(iso: string | undefined): Date | null {
  return iso ? new Date(iso) : null;
}
