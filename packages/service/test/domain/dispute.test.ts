import { eventTypes } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { isDisputable, opensDispute, outcomeOf, rulingOf } from '#domain/dispute.js';

const respondBy = new Date('2026-03-16T08:00:00.000Z');
const before = new Date(respondBy.getTime() - 1);

describe('a dispute', () => {
  test('can be about a breach or a disputed outcome only, and opens by itself with the second', () => {
    expect(eventTypes.filter(isDisputable)).toEqual(['TRANSACTION_DISPUTED', 'CONTRACT_BREACHED']);
    expect(eventTypes.filter(opensDispute)).toEqual(['TRANSACTION_DISPUTED']);
  });

  test.each([
    ['a verified event within the window', true, before, 'AGAINST_USER', false],
    ['an unverified event within the window', false, before, 'FOR_USER', false],
    ['a verified event at its end', true, respondBy, 'FOR_USER', true],
    ['an unverified event at its end', false, respondBy, 'FOR_USER', true],
  ] as const)('about %s ends by rule', (_, isVerified, now, outcome, lapsed) => {
    expect(rulingOf({ isVerified, respondBy }, now)).toEqual({
      outcome,
      status: `RESOLVED_${outcome}`,
      lapsed,
    });
    expect(outcomeOf(`RESOLVED_${outcome}`)).toBe(outcome);
  });

  test('has no outcome while it is open', () => expect(outcomeOf('OPEN')).toBeNull());
});
