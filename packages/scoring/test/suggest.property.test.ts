import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Contestable,
  dayOf,
  foldTallies,
  type LedgerFacts,
  MAX_SUGGESTED_DAYS,
  MAX_SUGGESTED_OUTCOMES,
  nextBandOf,
  occurredAt,
  platformTiers,
  type Score,
  type Suggestion,
  score,
  scoreBandOf,
  suggest,
  tallyKeyOf,
} from '../src/index.js';
import { asOf, holdsForEveryLedger, startedLedgers } from './ledgers.js';
import { daysAgo, tallied } from './tallies.js';

const TODAY = new Date('2026-06-30T12:00:00.000Z');
/** Each computes up to two hundred scores. */
const SHARE = 0.2;
const DELIVERIES = ['TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED'];

/** A ledger of which the first events are another platform's, and the tier of the platform that asks. */
const asked = fc.record({
  ledger: startedLedgers.map((ledger) => ledger.map((event, index) => ({ ...event, id: `${index}` }))),
  foreign: fc.nat(4),
  tier: fc.constantFrom(...platformTiers),
});

/** The ledger's own formula. */
const scoreOf = (ledger: readonly LedgerFacts[], day = asOf) => score(foldTallies(ledger), day);

interface Given {
  ledger: readonly (LedgerFacts & { id: string })[];
  foreign: number;
  tier: (typeof platformTiers)[number];
}

function suggestedFor({ ledger, foreign, tier }: Given) {
  const own = ledger.slice(foreign);
  const contestable = own.filter(isContestable).map((event): Contestable => {
    const { eventType, day, timeliness, stakeLevel, platformTier, isVerified } = tallyKeyOf(event);
    const contested = eventType === 'TRANSACTION_DISPUTED' ? { eventType, day, timeliness } : null;
    return { eventType, stakeLevel, platformTier, isVerified, contested };
  });
  const current = scoreOf(ledger) as Score;
  const of = { own: foldTallies(own), others: foldTallies(ledger.slice(0, foreign)), contestable };
  const found = suggest({ ...of, platformTier: tier, current }, asOf);
  const named = (kind: Suggestion['kind']) => found.find((one) => one.kind === kind);
  return { own, current, minimum: nextBandOf(current.scoreBand)?.scoreMin ?? null, found, named };
}

function isContestable({ eventType }: LedgerFacts) {
  return eventType === 'CONTRACT_BREACHED' || eventType === 'TRANSACTION_DISPUTED';
}

/** The number is the smallest that reaches the next band; else nothing up to the limit reaches more. */
function expectFewest(
  suggestion: Suggestion | undefined,
  { current, minimum }: Pick<ReturnType<typeof suggestedFor>, 'current' | 'minimum'>,
  limit: number,
  scoreWith: (count: number) => Score | null,
) {
  const reached = (count: number) => scoreWith(count)?.finalScore ?? Number.NaN;
  if (minimum === null) return expect(suggestion).toBeUndefined();
  if (!suggestion) {
    for (const count of [1, limit].filter((each) => each <= limit))
      expect(Math.max(reached(count), current.finalScore)).toBe(current.finalScore);
    return;
  }
  const { count, finalScore, scoreBand, delta } = suggestion;
  expect([finalScore, scoreBand]).toEqual([reached(count), scoreBandOf(finalScore)]);
  expect(delta).toBeCloseTo(finalScore - current.finalScore, 9);
  expect(delta).toBeGreaterThan(0);
  const all = Array.from({ length: finalScore >= minimum ? count - 1 : limit }, (_, index) => index + 1);
  const bound = finalScore >= minimum ? minimum - 0.01 : finalScore;
  const sampled = all.length > 20 ? [1, Math.ceil(all.length / 2), all.length - 1, all.length] : all;
  for (const fewer of sampled) expect(reached(fewer)).toBeLessThanOrEqual(bound + 1e-9);
}

describe('a suggestion', () => {
  test('of new outcomes is the score once they are reported, and no fewer reach the next band', () => {
    holdsForEveryLedger(
      fc.property(asked, (given) => {
        const of = suggestedFor(given);
        const job: LedgerFacts = {
          eventType: 'TRANSACTION_COMPLETED',
          stakeLevel: 'MEDIUM',
          platformTier: given.tier,
          isVerified: true,
          createdAt: TODAY,
          completedAt: TODAY,
          dueDate: TODAY,
        };
        const scoreWith = (count: number) => scoreOf([...given.ledger, ...Array(count).fill(job)]);
        const suggestion = of.named('outcomes');
        expectFewest(suggestion, of, MAX_SUGGESTED_OUTCOMES, scoreWith);
        if (!suggestion) return;
        expect(suggestion).toMatchObject({ eventType: 'TRANSACTION_COMPLETED', isVerified: true });
        if (suggestion.finalScore < (of.minimum ?? 0)) expect(suggestion.count).toBe(MAX_SUGGESTED_OUTCOMES);
      }),
      SHARE,
    );
  });

  test('to confirm outcomes is the score once the latest of them are confirmed', () => {
    holdsForEveryLedger(
      fc.property(asked, (given) => {
        const of = suggestedFor(given);
        const deliveries = of.own.filter(({ eventType }) => DELIVERIES.includes(eventType));
        const days = deliveries.map((event) => dayOf(occurredAt(event)));
        fc.pre(new Set(days).size === days.length); // there is no order within a day, and nothing confirmed beside
        const confirmed = deliveries
          .filter(({ isVerified }) => !isVerified)
          .toSorted((a, b) => dayOf(occurredAt(b)) - dayOf(occurredAt(a)))
          .map((event) => ({ ...event, isVerified: true, platformTier: given.tier }));
        const scoreWith = (count: number) => scoreOf([...given.ledger, ...confirmed.slice(0, count)]);
        expectFewest(of.named('confirm'), of, confirmed.length, scoreWith);
      }),
      SHARE,
    );
  });

  test('to dispute is the best score once such a dispute has ended for the subject', () => {
    holdsForEveryLedger(
      fc.property(asked, (given) => {
        const of = suggestedFor(given);
        const best = new Map<string, Score>();
        for (const event of of.own.filter(isContestable)) {
          const { id, eventType, isVerified, stakeLevel, platformTier } = event;
          const outcome: LedgerFacts = {
            ...{ stakeLevel, platformTier, isVerified, createdAt: TODAY },
            eventType: 'DISPUTE_RESOLVED_FOR_USER',
            closesEventId: eventType === 'TRANSACTION_DISPUTED' ? id : null,
          };
          const reached = scoreOf([...given.ledger, outcome]) as Score;
          const kind = `${eventType} ${isVerified}`;
          if (reached.finalScore > (best.get(kind) ?? of.current).finalScore) best.set(kind, reached);
        }
        const suggested = of.found.filter(({ kind }) => kind === 'dispute');
        expect(
          suggested.map((one) => [`${one.eventType} ${one.isVerified}`, one.finalScore, one.count]).sort(),
        ).toEqual([...best].map(([kind, { finalScore }]) => [kind, finalScore, 1]).sort());
      }),
      SHARE,
    );
  });

  test('to wait is the score on the first day on which age alone reaches the next band', () => {
    holdsForEveryLedger(
      fc.property(asked, (given) => {
        const of = suggestedFor(given);
        const waiting = of.named('wait');
        const tallies = foldTallies(given.ledger);
        const on = (days: number) => score(tallies, asOf + days) as Score;
        const until = waiting ? waiting.count - 1 : MAX_SUGGESTED_DAYS;
        for (let days = 1; days <= until; days += waiting ? 1 : 90)
          expect(on(days).finalScore).toBeLessThan(of.minimum ?? Infinity);
        if (!waiting) return;
        const { finalScore, scoreBand } = on(waiting.count);
        expect(waiting).toMatchObject({ finalScore, scoreBand });
        expect(finalScore).toBeGreaterThanOrEqual(of.minimum ?? Infinity);
      }),
      SHARE,
    );
  });

  test('with the largest gain for one act comes first, and only what helps is listed', () => {
    holdsForEveryLedger(
      fc.property(asked, (given) => {
        const gains = suggestedFor(given).found.map(({ delta, count }) => delta / count);
        expect(gains.every((gain) => gain > 0)).toBe(true);
        expect(gains).toEqual(gains.toSorted((a, b) => b - a));
      }),
      SHARE,
    );
  });
});

describe('what is taken as confirmed already', () => {
  const current = { finalScore: 20, scoreBand: 'Unproven' } as const;
  const confirmable = (own: ReturnType<typeof tallied>[]) =>
    suggest({ own, others: [], contestable: [], platformTier: 'ENTERPRISE', current }, asOf).find(
      ({ kind }) => kind === 'confirm',
    )?.count;

  test('is an unverified outcome beside a verified one of the same day, type, stake and timeliness', () => {
    const unconfirmed = tallied(1, 'CONTRACT_FULFILLED', { isVerified: false, stakeLevel: 'LOW' });
    const twin = { ...unconfirmed, isVerified: true, platformTier: 'STARTER' } as const;
    expect(confirmable([unconfirmed])).toBe(1);
    expect(confirmable([unconfirmed, twin])).toBeUndefined();
    expect(confirmable([unconfirmed, { ...twin, ...daysAgo(1) }])).toBe(1);
  });

  test('is no outcome of a dispute', () => {
    expect(confirmable([tallied(1, 'DISPUTE_RESOLVED_FOR_USER', { isVerified: false })])).toBeUndefined();
  });
});
