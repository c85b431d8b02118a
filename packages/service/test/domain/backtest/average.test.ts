import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/timestamp.js';
import { type Random, seededRandom } from '#kit/seededRandom.js';
import { root } from '../../docs/languages.js';
import { backtest, type MarketEvent, type MarketSubject, OPTIONS, TODAY } from './market.js';

const PEOPLE = 600;
const DAYS = 730;

/** How likely a person is to keep a promise on a day, from 0 to `DAYS`. */
type Reliability = (day: number) => number;

/** What the README compares: two years of jobs, which customers confirmed. */
const MARKETS: Record<string, (random: Random) => { reliability: Reliability; own: number }> = {
  'People change: a good phase ends, a bad one is overcome': (random) => ({ reliability: phases(random), own: 0 }),
  'As above, and one person in three also reports own successes that nobody confirmed': (random) => ({
    reliability: phases(random),
    own: random.fraction() < 1 / 3 ? 1 : 0,
  }),
  'Everybody stays as they are; some work daily, others twice a year': (random) => {
    const constant = 0.7 + 0.3 * random.fraction();
    return { reliability: () => constant, own: 0 };
  },
};

/** Good and bad phases of 120 to 360 days. */
function phases(random: Random): Reliability {
  const ends: number[] = [];
  for (let day = -random.whole(0, 240); day < DAYS; day += random.whole(120, 360)) ends.push(day);
  const first = random.whole(0, 1);
  return (day) => ((ends.filter((end) => end <= day).length + first) % 2 === 0 ? 0.97 : 0.7);
}

function personOf(market: string, index: number): MarketSubject {
  const random = seededRandom(index + 1);
  const { reliability, own } = MARKETS[market]?.(random) ?? expect.unreachable();
  const everyDays = market.startsWith('Everybody') ? random.pick([1, 7, 30, 180]) : random.pick([7, 14, 30]);
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
      dueDate: at,
      disputeId: null,
      closesEventId: null,
    });
  };
  for (let day = random.whole(0, everyDays); day < DAYS; day += random.whole(1, 2 * everyDays)) {
    report(day, random.fraction() < reliability(day), true);
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
    const people = Array.from({ length: PEOPLE }, (_, index) => personOf(market, index));
    const { discrimination: found } = backtest(people, { ...OPTIONS, by: 'outcome' });
    const { completionRate, betaRate } = found.rivals;
    const figures = [found.auc, completionRate, betaRate].map((auc) => (auc ?? 0).toFixed(2));
    return [market, ...figures];
  });
  expect(table(readFileSync(join(root, 'README.md'), 'utf8'))).toEqual(measured);
});
