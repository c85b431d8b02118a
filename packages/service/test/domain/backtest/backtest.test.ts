import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  dayOf,
  foldTallies,
  isoFromDay,
  occurredAt,
  outcomeClassOf,
  score,
  scoreBands,
} from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { type BacktestOptions, createBacktest, cutoffsOf } from '#domain/backtest/backtest.js';
import { otherFormulaOf } from '#domain/backtest/otherFormula.js';
import { drawsOf, wilsonInterval } from '#domain/backtest/statistics.js';
import type { BacktestEvent } from '#domain/backtest/subjectFold.js';
import { DAY_MS } from '#domain/timestamp.js';
import {
  backtest,
  firstEventOn,
  knownFrom,
  type MarketEvent,
  type MarketSubject,
  makeMarket,
  OPTIONS,
  TODAY,
} from './market.js';

const MARKET = makeMarket(120, TODAY);

type PlainPair = ReturnType<typeof pairsOf>[number];

/** Every pair by brute force, as a plain reading of the rules has it: each score from all events known before its cut-off. */
function pairsOf(market: readonly MarketSubject[], { by, everyDays, horizonDays }: BacktestOptions) {
  const days: number[] = [];
  for (let day = firstEventOn(market, by); day + horizonDays <= TODAY; day += everyDays) days.push(day);
  return market.flatMap((subject) =>
    days.flatMap((day) => {
      const isKnown = (event: BacktestEvent) => knownFrom(event, by) < day * DAY_MS;
      const known = subject.events.filter(isKnown);
      const facts = known.map(({ eventId, ...event }) => ({ ...event, id: eventId }));
      const asOf = score(foldTallies(facts), day);
      const before = outcomesOf(subject.events)
        .filter((outcome) => isKnown(outcome.event) && (outcome.ending === null || isKnown(outcome.ending)))
        .map(({ event, wasKept }) => ({ wasKept, at: occurredAt(event).getTime() }));
      return outcomesOf(subject.events)
        .filter(({ event }) => {
          const ahead = dayOf(occurredAt(event)) - day;
          return event.isVerified && ahead >= 0 && ahead < horizonDays;
        })
        .map(({ wasKept }) => ({ subject, day, wasKept, score: asOf, before }));
    }),
  );
}

/** The decided outcomes that no dispute engine wrote, with the ends of their disputes. */
function outcomesOf(events: MarketEvent[]) {
  return events.flatMap((event) => {
    const outcomeClass = outcomeClassOf(event.eventType);
    if (event.disputeId !== null || outcomeClass === 'none') return [];
    const isContested = outcomeClass === 'contested';
    const ending = events.find(({ closesEventId }) => isContested && closesEventId === event.eventId) ?? null;
    if (isContested && !ending) return [];
    const wasKept = outcomeClass === 'positive' || ending?.eventType === 'DISPUTE_RESOLVED_FOR_USER';
    return [{ event, ending, wasKept }];
  });
}

function plainAuc(pairs: readonly PlainPair[], predict: (pair: PlainPair) => number): number {
  const kept = pairs.filter(({ wasKept }) => wasKept).map(predict);
  const broken = pairs.filter(({ wasKept }) => !wasKept).map(predict);
  let wins = 0;
  for (const high of kept) for (const low of broken) wins += high > low ? 1 : high === low ? 0.5 : 0;
  return wins / (kept.length * broken.length);
}

function plainCell(pairs: readonly PlainPair[]) {
  const kept = pairs.filter(({ wasKept }) => wasKept).length;
  if (pairs.length < 100) return { n: pairs.length, kept: null, ci95: null };
  const ci95 = wilsonInterval(kept, pairs.length) ?? [];
  return { n: pairs.length, kept: four(kept / pairs.length), ci95: ci95.map(four) };
}

const four = (value: number) => Math.round(value * 10_000) / 10_000;
const rateOf = ({ before }: PlainPair) => before.filter(({ wasKept }) => wasKept).length / before.length;

describe.each(['recorded', 'outcome'] as const)('the backtest of a small market, by=%s', (by) => {
  const options = { ...OPTIONS, by };
  const report = backtest(MARKET, options);
  const all = pairsOf(MARKET, options);
  const pairs = all.filter((pair) => pair.score !== null);

  test('counts every pair of a score and an outcome that followed', () => {
    expect(report.pairs).toBe(pairs.length);
    expect(report.pairs).toBeGreaterThan(1000);
    expect(report.unscoredPairs).toBe(all.length - pairs.length);
    expect(report.unscoredPairs).toBeGreaterThan(0);
    expect(report.caveats.join(' ')).toMatch(/no score at the cut-off: [\d,]+\./);
    expect(report.subjects).toBe(new Set(pairs.map(({ subject }) => subject)).size);
    expect(report.baseRate).toBe(four(pairs.filter(({ wasKept }) => wasKept).length / pairs.length));
    expect(report.asOf[0]).toBe(isoFromDay(firstEventOn(MARKET, by)));
    expect(report.by).toBe(by);
  });

  test('ranks as each score and each rival ranks', () => {
    const { auc, rivals } = report.discrimination;
    expect(auc).toBe(four(plainAuc(pairs, (pair) => pair.score?.finalScore ?? 0)));
    const plainRivals = {
      completionRate: plainAuc(pairs, (pair) => (pair.before.length === 0 ? 0.5 : rateOf(pair))),
      betaRate: plainAuc(pairs, ({ before }) => {
        const kept = before.filter(({ wasKept }) => wasKept).length;
        return (kept + 1) / (before.length + 2);
      }),
      behavioralQuality: plainAuc(pairs, (pair) => pair.score?.behavioralQuality ?? 0),
      lastOutcome: plainAuc(pairs, ({ before }) => {
        const last = before.toSorted((a, b) => a.at - b.at).at(-1);
        return last === undefined ? 0.5 : last.wasKept ? 1 : 0;
      }),
    };
    for (const [name, value] of Object.entries(plainRivals))
      expect(rivals[name as keyof typeof rivals], name).toBeCloseTo(value, 3);
  });

  test('shows the kept rate of each band, and whether higher bands keep more', () => {
    const cells = scoreBands.map((band) => ({
      band,
      ...plainCell(pairs.filter((pair) => pair.score?.scoreBand === band)),
    }));
    expect(report.bands).toEqual(cells);
    const rates = cells.flatMap(({ kept }) => (kept === null ? [] : [kept]));
    expect(rates.length).toBeGreaterThan(2);
    expect(report.bandsMonotone).toBe(rates.every((rate, rank) => rate >= (rates[rank + 1] ?? 0)));
  });

  test('groups pairs by tenure, tier, type of subject and confidence', () => {
    const groupsOf = (grouping: keyof typeof report.groups, groupOf: (pair: PlainPair) => string) => {
      for (const { group, auc, ...cell } of report.groups[grouping]) {
        const own = pairs.filter((pair) => groupOf(pair) === group);
        expect(cell, group).toEqual(plainCell(own));
        const plain = own.length < 100 ? null : four(plainAuc(own, (pair) => pair.score?.finalScore ?? 0));
        expect(auc, group).toBe(plain);
      }
    };
    groupsOf('subjectType', ({ subject }) => subject.subjectType);
    groupsOf('confidence', (pair) => pair.score?.confidenceLabel ?? '');
    groupsOf('tier', ({ subject, day }) => {
      const known = subject.events.filter((event) => knownFrom(event, by) < day * DAY_MS);
      return known.toSorted((a, b) => knownFrom(a, by) - knownFrom(b, by)).at(-1)?.platformTier ?? '';
    });
    groupsOf('tenure', ({ subject, day }) => {
      const tenure = day - dayOf(new Date(Math.min(...subject.events.map((event) => knownFrom(event, by)))));
      return tenure < 30 ? '0-29' : tenure < 90 ? '30-89' : tenure < 365 ? '90-364' : '365+';
    });
    for (const cells of Object.values(report.groups)) {
      expect(cells.reduce((sum, { n }) => sum + n, 0)).toBe(pairs.length);
    }
  });

  test('tests on odd subjects what it calibrated on even ones', () => {
    const { brier, brierOfBaseRate, skill, curve } = report.calibration;
    const odd = pairs.filter(({ subject }) => drawsOf(subject.subjectId).isOdd);
    const even = pairs.filter(({ subject }) => !drawsOf(subject.subjectId).isOdd);
    const base = even.filter(({ wasKept }) => wasKept).length / even.length;
    const plainBase = odd.reduce((sum, { wasKept }) => sum + ((wasKept ? 1 : 0) - base) ** 2, 0) / odd.length;
    expect(brierOfBaseRate).toBe(four(plainBase));
    expect(brier).toBeLessThan(plainBase);
    expect(skill).toBeCloseTo(1 - (brier ?? 0) / plainBase, 3);
    expect(curve.reduce((sum, { n }) => sum + n, 0)).toBe(odd.length);
    const predicted = curve.flatMap((point) => (point.predicted === null ? [] : [point.predicted]));
    expect(predicted).toEqual(predicted.toSorted((a, b) => a - b));
  });

  test('has an interval that holds its AUC, from resamples of whole subjects', () => {
    const [low = 1, high = 0] = report.discrimination.ci95 ?? [];
    const auc = report.discrimination.auc ?? 0;
    expect(low).toBeLessThan(auc);
    expect(high).toBeGreaterThan(auc);
    const draws = MARKET.map(({ subjectId }) => drawsOf(subjectId).draws[0]);
    expect(new Set(draws).size).toBeGreaterThan(2);
  });

  test('is the same whatever the order of the subjects', () => {
    expect(JSON.stringify(backtest(MARKET.toReversed(), options))).toBe(JSON.stringify(report));
  });
});

const day = (number: number) => new Date(number * DAY_MS);
const outcome = (happened: number, more: Partial<MarketEvent> = {}): MarketEvent => ({
  eventId: `${happened}`,
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'MEDIUM',
  platformTier: 'GROWTH',
  isVerified: true,
  createdAt: day(happened),
  completedAt: day(happened),
  dueDate: null,
  disputeId: null,
  closesEventId: null,
  ...more,
});

describe('a backtest of one cut-off', () => {
  const T = TODAY - 100;
  /** Of a subject that was known before, with these events after the cut-off. */
  const reportOf = (events: MarketEvent[]) => {
    const subject = { subjectId: 'subject', subjectType: 'PERSON' as const };
    return backtest([{ ...subject, events: [outcome(T - 5), ...events] }], { ...OPTIONS, from: T, to: T });
  };

  test('counts an outcome whose dispute ended before it was read: clocks of two processes differ', () => {
    const disputed = outcome(T + 1, { eventType: 'TRANSACTION_DISPUTED' });
    const ending = outcome(T + 8, {
      eventType: 'DISPUTE_RESOLVED_FOR_USER',
      disputeId: 'd',
      closesEventId: disputed.eventId,
      completedAt: null,
    });
    expect(reportOf([disputed])).toMatchObject({ pairs: 0, baseRate: null });
    expect(reportOf([ending, disputed])).toMatchObject({ pairs: 1, baseRate: 1 });
  });

  test('shows no rate for a cell of 99 pairs, and one for 100', () => {
    const cellOf = (count: number) =>
      reportOf(Array.from({ length: count }, () => outcome(T + 1))).groups.tier.find(({ n }) => n > 0);
    expect(cellOf(99)).toEqual({ group: 'GROWTH', n: 99, kept: null, ci95: null, auc: null });
    expect(cellOf(100)).toMatchObject({ n: 100, kept: 1 });
  });

  test('is empty where there is none, and says why', () => {
    const events = [outcome(TODAY - 10)];
    const report = backtest([{ subjectId: 'subject', subjectType: 'PERSON', events }]);
    expect(report).toMatchObject({ asOf: [], pairs: 0, baseRate: null, bandsMonotone: null });
    expect(report.discrimination).toMatchObject({ auc: null, ci95: null });
    expect(report.caveats.join(' ')).toContain('There is no cut-off');
  });
});

test('the memory of a backtest does not grow with the events of a subject, only with its days', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const usedMb = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const cutoffs = cutoffsOf({ ...OPTIONS, from: TODAY - 300 }, null, TODAY);
  const fold = createBacktest({ options: OPTIONS, cutoffs, today: TODAY, other: null }).fold();
  const addEvents = (count: number) => {
    for (let number = 0; number < count; number += 1) {
      const eventType = number % 7 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED';
      const eventId = `event-${number}`;
      fold.add(outcome(TODAY - 300 + (number % 300), { eventId, eventType, isVerified: number % 2 === 0 }));
    }
  };
  addEvents(10_000);
  const before = usedMb();
  addEvents(500_000);
  expect(usedMb() - before).toBeLessThan(5);
});

describe('a comparison with other constants', () => {
  test('with the published constants moves nothing', () => {
    const { comparison, ...report } = backtest(MARKET, OPTIONS, otherFormulaOf({ anchor: 20 }));
    const { formulaVersion, ...figures } = comparison?.report ?? report;
    expect(formulaVersion).toBe('custom');
    expect(report).toMatchObject(figures);
    expect(comparison?.aucDifference).toEqual({ value: 0, ci95: [0, 0] });
    expect(comparison?.moves).toMatchObject({ subjects: 120, unchanged: 120, up: 0, down: 0, mean: 0 });
  });

  test('shows how today’s scores would move, subject by subject', () => {
    const other = otherFormulaOf({ halfLifeDays: 720, evidenceHalf: 1 });
    const { comparison } = backtest(MARKET, OPTIONS, other);
    const moves = MARKET.flatMap(({ events }) => {
      const tallies = foldTallies(events.map(({ eventId, ...event }) => ({ ...event, id: eventId })));
      const [now, changed] = [score(tallies, TODAY), score(tallies, TODAY, other.constants)];
      return now && changed
        ? [{ now, changed, points: Math.round((changed.finalScore - now.finalScore) * 100) / 100 }]
        : [];
    });
    const sorted = moves.map(({ points }) => points).sort((a, b) => a - b);
    expect(comparison?.moves.quantiles).toMatchObject({
      min: sorted[0],
      median: sorted[59],
      max: sorted[119],
    });
    expect(comparison?.moves.up).toBe(moves.filter(({ points }) => points > 0).length);
    for (const { from, to, subjects } of comparison?.moves.bands ?? []) {
      const own = moves.filter(({ now, changed }) => now.scoreBand === from && changed.scoreBand === to);
      expect(subjects, `${from} to ${to}`).toBe(own.length);
    }
    const { histogram = [] } = comparison?.moves ?? {};
    for (const { from, to, subjects } of histogram)
      expect(subjects).toBe(sorted.filter((points) => points >= from && points < to).length);
    expect(histogram.reduce((sum, { subjects }) => sum + subjects, 0)).toBe(120);
  });

  test.each([
    [{ halfLife: 90 }, '"halfLife": no such constant'],
    [{ weights: { luck: 1 } }, '"weights.luck": no such member'],
    [{ weights: { completion: 0.9 } }, 'must sum to 1, and these sum to 1.5'],
    [{ halfLifeDays: 0.5 }, 'halfLifeDays:'],
    [{ evidenceHalf: 0 }, 'evidenceHalf:'],
    [{ anchor: 120 }, 'anchor:'],
    [{ bands: scoreBands.map((band) => ({ band, minimum: 50 })) }, 'above the next one'],
    [[], 'The file must hold a JSON object'],
  ])('refuses %j', (given, message) => {
    expect(() => otherFormulaOf(given)).toThrow(message);
  });

  test('warns where the score would no longer be monotone', () => {
    expect(otherFormulaOf({ halfLifeDays: 90 }).warnings).toEqual([]);
    expect(otherFormulaOf({ unverifiedGateMax: 0.5 }).warnings).toMatchObject([
      expect.stringContaining('(a)'),
      expect.stringContaining('(b)'),
    ]);
  });
});
