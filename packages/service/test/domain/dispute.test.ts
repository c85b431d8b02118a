import { eventTypes } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { isDisputable, opensDispute, outcomeOf, rulingOf } from '#domain/dispute.js';

const respondBy = new Date('2026-03-16T08:00:00.000Z');
const before = new Date(respondBy.getTime() - 1);

describe('a dispute', () => {
  test('can be about a breach or a disputed outcome only', () => {
    expect(eventTypes.filter(isDisputable)).toEqual(['TRANSACTION_DISPUTED', 'CONTRACT_BREACHED']);
  });

  test('opens automatically with a disputed outcome only', () => {
    expect(eventTypes.filter(opensDispute)).toEqual(['TRANSACTION_DISPUTED']);
  });

  test('ends against the subject exactly when the event is verified within the window', () => {
    expect(rulingOf({ isVerified: true, respondBy }, before)).toEqual({
      outcome: 'AGAINST_USER',
      status: 'RESOLVED_AGAINST_USER',
      lapsed: false,
    });
    expect(rulingOf({ isVerified: false, respondBy }, before)).toEqual({
      outcome: 'FOR_USER',
      status: 'RESOLVED_FOR_USER',
      lapsed: false,
    });
  });

  test.each([true, false])(
    'ends for the subject from the end of its window on (verified: %s)',
    (isVerified) => {
      const lapse = { outcome: 'FOR_USER', status: 'RESOLVED_FOR_USER', lapsed: true };
      expect(rulingOf({ isVerified, respondBy }, respondBy)).toEqual(lapse);
    },
  );

  test('has no outcome while it is open', () => {
    expect(outcomeOf('OPEN')).toBeNull();
    expect(outcomeOf('RESOLVED_FOR_USER')).toBe('FOR_USER');
    expect(outcomeOf('RESOLVED_AGAINST_USER')).toBe('AGAINST_USER');
  });
});
