import { describe, expect, test } from 'vitest';
import { NOTHING_DECLARED } from '#domain/declaredSubject.js';
import { namesOf } from '#domain/sameParty.js';
import type { Claim } from '../../src/features/insight/records/documentAdvice.js';
import { analyzeClaims } from '../../src/features/insight/records/documents.js';

const NOW = new Date('2026-02-10T12:00:00.000Z');

function adviceOn(change: Partial<Claim>, isOwn = false) {
  const claim: Claim = {
    title: 'A document',
    eventType: 'CONTRACT_FULFILLED',
    stakeLevel: 'MEDIUM',
    issuedBy: null,
    counterpartyRef: null,
    completedAt: null,
    dueDate: null,
    isVerified: false,
    ...change,
  };
  const insiders = {
    externalId: 'Ann',
    platform: namesOf(['Market']),
    declared: { ...NOTHING_DECLARED, isOwn },
  };
  const record = { tallies: [], published: null };
  const analysis = analyzeClaims([claim], { insiders, platformTier: 'GROWTH', record }, NOW);
  const [entry] = analysis.claims;
  if (!entry) throw new Error('a claim was left without advice');
  return { ...entry, ...analysis.projection };
}

describe('the advice on a claim', () => {
  const [done, due] = [new Date('2026-02-01'), new Date('2026-02-02')];

  test.each<[given: Partial<Claim>, isVerified: boolean, advice: RegExp]>([
    [{ isVerified: true, counterpartyRef: 'Bob' }, true, /\w/],
    [{ counterpartyRef: 'Bob' }, false, /has not confirmed yet/],
    [{ isVerified: true }, false, /names no witness/],
    [{ isVerified: true, counterpartyRef: '  ' }, false, /names no witness/],
    [{ isVerified: true, counterpartyRef: 'A N N' }, false, /self-attested/],
    [{ isVerified: true, counterpartyRef: '"Market".' }, false, /self-attested/],
    [{ isVerified: true, issuedBy: 'City Works' }, false, /\w/],
    [{}, false, /unverified.*`dueDate` and `completedAt` are missing/s],
    [{ completedAt: done }, false, /`dueDate` is missing/],
    [{ dueDate: due }, false, /`completedAt` is missing/],
    [{ completedAt: due, dueDate: done }, false, /counts as late/],
    [{ completedAt: done, dueDate: due }, false, /^(?!.*(missing|late))/s],
    [{ eventType: 'CONTRACT_BREACHED', completedAt: done }, false, /leave out `completedAt`/],
  ])('%j: verified %s, %s', (given, isVerified, advice) => {
    const entry = adviceOn(given);
    expect(entry.verifiedAsSubmitted).toBe(isVerified);
    expect(entry.advice).toMatch(advice);
    expect(entry.advice).not.toMatch(/approve|reject|should|trustworthy/i);
    expect(adviceOn(given, true).verifiedAsSubmitted).toBe(false);
  });

  test('an issuer can be asked, if it is not the subject', () => {
    expect(adviceOn({ isVerified: true, issuedBy: 'City Works' }).witness.who).toBe('City Works');
    expect(adviceOn({ issuedBy: 'ann', counterpartyRef: 'ANN ' }).witness.who).toContain('client');
  });

  test('an outcome that cannot be reported changes neither scenario', () => {
    const types = [
      'DISPUTE_FILED',
      'DISPUTE_RESOLVED_AGAINST_USER',
      'EDUCATION_VERIFIED',
      'PROJECT_LOGGED',
    ] as const;
    for (const eventType of types) {
      const entry = adviceOn({ eventType, isVerified: true, counterpartyRef: 'Bob' });
      expect([entry.asSubmitted.delta.score, entry.ifConfirmed.delta.score]).toEqual([0, 0]);
    }
  });

  test('the two scenarios differ by the confirmation', () => {
    const open = adviceOn({});
    expect(open.ifConfirmed.projected.score).toBeGreaterThan(open.asSubmitted.projected.score);
    const breach = adviceOn({ eventType: 'CONTRACT_BREACHED' });
    expect(breach.ifConfirmed.projected.score).toBeLessThan(breach.asSubmitted.projected.score);
    const verified = adviceOn({ isVerified: true, counterpartyRef: 'Bob' });
    expect(verified.ifConfirmed).toEqual(verified.asSubmitted);
    const decided = adviceOn({ eventType: 'DISPUTE_RESOLVED_FOR_USER' });
    expect(decided.ifConfirmed).toEqual(decided.asSubmitted);
  });
});
