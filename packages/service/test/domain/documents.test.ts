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
  test('is verified only with a flag and a witness who is not the subject', () => {
    expect(adviceOn({ isVerified: true, counterpartyRef: 'Bob' }).verifiedAsSubmitted).toBe(true);
    expect(adviceOn({ isVerified: false, counterpartyRef: 'Bob' }).advice).toContain('has not confirmed yet');
    expect(adviceOn({ isVerified: true }).advice).toContain('names no witness');
    expect(adviceOn({ isVerified: true, counterpartyRef: '  ' }).advice).toContain('names no witness');
    expect(adviceOn({ isVerified: true, counterpartyRef: 'A N N' }).advice).toContain('self-attested');
    expect(adviceOn({}).advice).toContain('unverified');
    expect(adviceOn({ isVerified: true, counterpartyRef: '"Market".' }).advice).toContain('self-attested');
    expect(adviceOn({ isVerified: true, counterpartyRef: 'Bob' }, true).verifiedAsSubmitted).toBe(false);
    for (const change of [{ isVerified: true }, { isVerified: true, counterpartyRef: 'ANN' }, {}]) {
      expect(adviceOn(change).verifiedAsSubmitted).toBe(false);
    }
  });

  test('an issuer can be asked but is no confirmation', () => {
    const entry = adviceOn({ isVerified: true, issuedBy: 'City Works' });
    expect(entry.verifiedAsSubmitted).toBe(false);
    expect(entry.witness.who).toBe('City Works');
    expect(adviceOn({ issuedBy: 'ann', counterpartyRef: 'ANN ' }).witness.who).toContain('client');
  });

  test('says why an outcome is not on time', () => {
    const done = new Date('2026-02-01');
    const due = new Date('2026-02-02');
    expect(adviceOn({}).advice).toContain('`dueDate` and `completedAt` are missing');
    expect(adviceOn({ completedAt: done }).advice).toContain('`dueDate` is missing');
    expect(adviceOn({ dueDate: due }).advice).toContain('`completedAt` is missing');
    expect(adviceOn({ completedAt: due, dueDate: done }).advice).toContain('counts as late');
    expect(adviceOn({ completedAt: done, dueDate: due }).advice).not.toMatch(/missing|late/);
    expect(adviceOn({ eventType: 'CONTRACT_BREACHED', completedAt: done }).advice).toContain(
      'leave out `completedAt`',
    );
  });

  test('an outcome that cannot be reported changes neither scenario', () => {
    for (const eventType of [
      'DISPUTE_FILED',
      'DISPUTE_RESOLVED_AGAINST_USER',
      'EDUCATION_VERIFIED',
      'PROJECT_LOGGED',
    ] as const) {
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

  test('never states a decision about a person', () => {
    for (const isVerified of [true, false]) {
      for (const counterpartyRef of [null, 'Ann', 'Bob']) {
        expect(adviceOn({ isVerified, counterpartyRef }).advice).not.toMatch(
          /approve|reject|should|trustworthy/i,
        );
      }
    }
  });
});
