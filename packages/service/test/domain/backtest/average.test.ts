import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { type Random, seededRandom } from '#kit/seededRandom.js';
import { root } from '../../docs/languages.js';
import { backtest, type MarketEvent, type MarketSubject, OPTIONS, TODAY } from './market.js';

const PEOPLE = 600;
const DAYS = 730;

interface Person {
  /** How likely a promise is kept on a day, from 0 to `DAYS`. */
  readonly keeps: (day: number) => number;
  /** Successes that the person reports with each job, and nobody confirms. */
  readonly own: number;
  /** The share of jobs that are a day late. */
  readonly late: number;
}

/** What the README compares: two years of jobs, which customers confirmed. */
const MARKETS: Record<string, (random: Random) => Person> = {
  'Each person changes once': (random) => ({ keeps: changing(random), own: 0, late: 0 }),
  'The same, and the less reliable third also reports successes of its own': (random) => {
    const keeps = changing(random);
    return { keeps, own: keeps(0) < 0.73 ? 2 : 0, late: 0 };
  },
  'Nobody changes, nobody reports alone, and being late says nothing about the next job': (random) => {
    const constant = someRate(random);
    return { keeps: () => constant, own: 0, late: random.fraction() };
  },
};

const someRate = (random: Random) => 0.6 + 0.4 * random.fraction();

function changing(random: Random): Person['keeps'] {
  const [before, after] = [someRate(random), someRate(random)];
  const changesOn = random.whole(0, DAYS);
  return (day) => (day < changesOn ? before : after);
}

function subjectOf(market: string, index: number): MarketSubject {
  const random = seededRandom(index + 1);
  const { keeps, own, late } = MARKETS[market]?.(random) ?? expect.unreachable();
  const everyDays = random.pick([7, 14, 30]);
  const events: MarketEvent[] = [];
  const report = (day: number, isKept: boolean, isVerified: boolean) => {
    const at = new Date((TODAY - DAYS + day) * DAY_MS);
    events.push({
      eventId: `${index}-${events.length}`,
      eventType: isKept ? 'CONTRACT_FULFILLED' : 'CONTRACT_BREACHED',
      stakeLevel: 'MEDIUM',
      platformTier: 'GROWTH',
      isVerified,
      createdAt: at,
      completedAt: isKept ? at : null,
      dueDate: random.fraction() < late ? new Date(at.getTime() - DAY_MS) : at,
      disputeId: null,
      closesEventId: null,
    });
  };
  for (let day = random.whole(0, everyDays); day < DAYS; day += random.whole(1, 2 * everyDays)) {
    report(day, random.fraction() < keeps(day), true);
    for (let more = 0; more < own; more += 1) report(day, true, false);
  }
  return { subjectId: `${market}-${index}`, subjectType: 'PERSON', events };
}

const table = (text: string) =>
  text.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return Object.hasOwn(MARKETS, cells[1] ?? '') ? [cells.slice(1, -1)] : [];
  });

test('the README shows what the backtest says of score and average in three markets', () => {
  const measured = Object.keys(MARKETS).map((market) => {
    const people = Array.from({ length: PEOPLE }, (_, index) => subjectOf(market, index));
    const { discrimination: found } = backtest(people, { ...OPTIONS, by: 'outcome' });
    const { completionRate, betaRate } = found.rivals;
    const figures = [found.auc, completionRate, betaRate].map((auc) => (auc ?? 0).toFixed(3));
    return [market, ...figures, (found.ci95 ?? []).map((end) => end.toFixed(3)).join(' to ')];
  });
  expect(table(readFileSync(join(root, 'README.md'), 'utf8'))).toEqual(measured);
});
