import { FORMULA_VERSION } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { confirmableEventTypes, ingestibleEventTypes } from '#domain/catalogues/enums.js';
import { plans, plansCatalog } from '#domain/catalogues/plans.js';
import { errorCatalog } from '#domain/errorCatalog.js';
import { words } from '#harness/words.js';
import changelog from '../../data/changelog.json' with { type: 'json' };
import { enumsCatalog } from '../../src/features/system/catalogues/enumsCatalog.js';
import { outcomeTemplates } from '../../src/features/system/catalogues/outcomeTemplates.js';

describe('the enumerations', () => {
  test('mark what can be reported and confirmed: no end of a dispute can be confirmed', () => {
    const marked = enumsCatalog.eventType.filter((e) => e.ingestible).map((e) => e.value);
    expect([...ingestibleEventTypes]).toEqual(marked);
    expect(
      marked,
    ).toEqual(words`TRANSACTION_COMPLETED TRANSACTION_DISPUTED TRANSACTION_CANCELLED REVIEW_VERIFIED
      CONTRACT_FULFILLED CONTRACT_CANCELLED CONTRACT_BREACHED DISPUTE_RESOLVED_FOR_USER`);
    expect(confirmableEventTypes).toEqual(marked.slice(0, -1));
  });

  test('say that the first state is the only open one, and CONFIRMED the only one that writes', () => {
    const { confirmationRequestStatus, referenceRequestStatus, disputeStatus } = enumsCatalog;
    for (const set of [confirmationRequestStatus, referenceRequestStatus, disputeStatus])
      expect(set.map(({ terminal }) => terminal)).toEqual(set.map((_, index) => index > 0));
    for (const set of [confirmationRequestStatus, referenceRequestStatus])
      expect(set.filter(({ writes }) => writes !== null)).toMatchObject([{ value: 'CONFIRMED' }]);
  });
});

describe('the outcome templates', () => {
  const groups = outcomeTemplates()?.templates ?? [];
  const all = groups.flatMap((entry) => entry.templates);

  test.each(groups)('offer $industry at least three cases, among them a good and a bad one', (group) => {
    expect(group.templates.length).toBeGreaterThanOrEqual(3);
    expect(new Set(group.templates.map(({ positive }) => positive)).size).toBe(2);
  });

  test('never use a key or a text twice', () => {
    expectDistinct(all.map(({ key }) => key));
    expectDistinct(all.map(({ label }) => label));
    expectDistinct([...groups, ...all].map(({ description }) => description));
    for (const { key } of all) expect(key).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  test('suggest only types that can be confirmed, and existing stakes and witness types', () => {
    const witnesses = valuesOf(enumsCatalog.witnessType);
    for (const { eventType, suggestedStake, witnessType } of all) {
      expect(confirmableEventTypes).toContain(eventType);
      expect(valuesOf(enumsCatalog.stakeLevel)).toContain(suggestedStake);
      expect(witnesses).toContain(witnessType);
    }
    expect(new Set(all.map(({ witnessType }) => witnessType)).size).toBe(witnesses.length);
  });

  test('call a case positive exactly when its type counts so', () => {
    const positiveTypes = ['TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED'];
    for (const { key, positive, eventType } of all)
      expect(positive, key).toBe(positiveTypes.includes(eventType));
  });

  test('explain both dates and leave completedAt unset where nothing was delivered', () => {
    for (const { key, eventType, timingBasis } of all) {
      expect(timingBasis, key).toContain('dueDate');
      expect(timingBasis, key).toContain('completedAt');
      const undelivered = eventType === 'CONTRACT_BREACHED';
      expect(/leave completedAt unset\.$/.test(timingBasis), key).toBe(undelivered);
      if (undelivered) expect(timingBasis, key).not.toContain('completedAt is');
    }
  });

  test('exclude causes outside the worker’s control', () => {
    expect(outcomeTemplates()?.notTheWorkersOutcome.map((entry) => entry.key)).toEqual(
      expect.arrayContaining(words`customer_absent cancelled_by_business weather_or_closure leave_with_notice
        opinion_of_the_person protected_characteristic`),
    );
  });
});

test('the plans have the documented numbers, and none moves a score', () => {
  const rows = plans.map(({ key, rateLimitPerMinute, monthlyQuota, limits }) => [
    key,
    rateLimitPerMinute,
    monthlyQuota,
    ...Object.values(limits),
  ]);
  expect(rows).toEqual([
    ['starter', 120, 50_000, 10, 5, 3, 2, 50],
    ['growth', 600, 1_000_000, 100, 50, 10, 10, 50],
    ['enterprise', 60_000, null, 1000, 500, 50, 50, 50],
  ]);
  expect(plansCatalog()).toMatchObject({
    anonymousRateLimitPerMinute: 120,
    note: expect.stringMatching(/no plan .* moves a score/i),
  });
});

test('the errors are listed by code', () => {
  const codes = Object.keys(errorCatalog);
  expect(codes).toEqual([...codes].sort());
});

describe('the changelog', () => {
  test('has unique ids that begin with their date, newest first, and names endpoints as method and path', () => {
    expectDistinct(changelog.map(({ id }) => id));
    for (const { id, date, endpoints } of changelog) {
      expect(id.startsWith(`${date}-`)).toBe(true);
      for (const endpoint of endpoints) expect(endpoint).toMatch(/^(GET|POST|PATCH|DELETE) \/[A-Za-z/{}-]+$/);
    }
    const days = changelog.map(({ date }) => date);
    expect(days).toEqual([...days].sort().reverse());
  });

  test('names the version of the formula', () => {
    const changed = changelog.filter(({ category }) => category === 'changed');
    expect(changed.some(({ summary }) => summary.includes(`formula ${FORMULA_VERSION}`))).toBe(true);
  });

  test('deprecates nothing because no answer announces a sunset', () => {
    expect(changelog.filter(({ category }) => category === 'deprecated')).toEqual([]);
  });
});

function valuesOf(set: readonly { value: string }[]): string[] {
  return set.map(({ value }) => value);
}

function expectDistinct(values: readonly string[]): void {
  expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([]);
}
