import { FORMULA_VERSION, scoreBandOf } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { confirmableEventTypes, ingestibleEventTypes, isIngestible } from '#domain/catalogues/enums.js';
import { planOf, planOpens, plans, plansCatalog, requiredPlanOf } from '#domain/catalogues/plans.js';
import { versions } from '#domain/catalogues/versions.js';
import { errorCatalog } from '#domain/errorCatalog.js';
import changelog from '../../data/changelog.json' with { type: 'json' };
import { enumsCatalog } from '../../src/features/system/catalogues/enumsCatalog.js';
import {
  type OutcomeTemplateCatalog,
  outcomeTemplates,
} from '../../src/features/system/catalogues/outcomeTemplates.js';

describe('the enumerations', () => {
  test('list every event type with its kind and whether it can be reported', () => {
    expect(enumsCatalog.eventType.map((e) => [e.value, e.kind, e.ingestible])).toEqual([
      ['TRANSACTION_COMPLETED', 'outcome', true],
      ['TRANSACTION_DISPUTED', 'outcome', true],
      ['TRANSACTION_CANCELLED', 'outcome', true],
      ['REVIEW_VERIFIED', 'outcome', true],
      ['CONTRACT_FULFILLED', 'outcome', true],
      ['CONTRACT_CANCELLED', 'outcome', true],
      ['CONTRACT_BREACHED', 'outcome', true],
      ['DISPUTE_FILED', 'outcome', false],
      ['DISPUTE_RESOLVED_FOR_USER', 'outcome', true],
      ['DISPUTE_RESOLVED_AGAINST_USER', 'outcome', false],
      ['EDUCATION_VERIFIED', 'qualification', false],
      ['SKILL_VERIFIED', 'qualification', false],
      ['CERTIFICATION_VERIFIED', 'qualification', false],
      ['EMPLOYMENT_VERIFIED', 'qualification', false],
      ['PROJECT_LOGGED', 'project', false],
    ]);
  });

  test('list the documented weights, minima and multipliers', () => {
    expect(enumsCatalog.stakeLevel).toMatchObject([
      { value: 'HIGH', weight: 1.5 },
      { value: 'MEDIUM', weight: 1 },
      { value: 'LOW', weight: 0.5 },
    ]);
    expect(enumsCatalog.scoreBand).toMatchObject([
      { value: 'Excellent', minimum: 80 },
      { value: 'Good', minimum: 65 },
      { value: 'Fair', minimum: 50 },
      { value: 'Building', minimum: 35 },
      { value: 'Unproven', minimum: 20 },
      { value: 'High Risk', minimum: 0 },
    ]);
    expect(enumsCatalog.platformTier).toMatchObject([
      { value: 'ENTERPRISE', trustMultiplier: 1 },
      { value: 'GROWTH', trustMultiplier: 0.85 },
      { value: 'STARTER', trustMultiplier: 0.7 },
      { value: 'SELF_REPORTED', trustMultiplier: 0.4 },
    ]);
    expect(enumsCatalog.confidenceLabel.map((e) => [e.value, e.minimum])).toEqual([
      ['high', 0.7],
      ['medium', 0.35],
      ['low', 0],
    ]);
  });

  test('show a band whose minimum is the score that first reaches it', () => {
    for (const { value, minimum } of enumsCatalog.scoreBand) expect(scoreBandOf(minimum)).toBe(value);
  });

  test('name the final states and the state that writes', () => {
    expect(enumsCatalog.disputeStatus).toMatchObject([
      { value: 'OPEN', terminal: false },
      { value: 'RESOLVED_FOR_USER', terminal: true },
      { value: 'RESOLVED_AGAINST_USER', terminal: true },
    ]);
    for (const set of [enumsCatalog.confirmationRequestStatus, enumsCatalog.referenceRequestStatus]) {
      expect(set.map((e) => [e.value, e.terminal])).toEqual([
        ['PENDING', false],
        ['CONFIRMED', true],
        ['DECLINED', true],
        ['EXPIRED', true],
        ['CANCELLED', true],
      ]);
      expect(set.filter((e) => e.writes !== null).map((e) => e.value)).toEqual(['CONFIRMED']);
    }
  });

  test('list subject types, plans, witness types and warnings', () => {
    expect(valuesOf(enumsCatalog.subjectType)).toEqual(['PERSON', 'AGENT', 'ORGANIZATION']);
    expect(enumsCatalog.planTier.map((e) => e.name)).toEqual(['Starter', 'Growth', 'Enterprise']);
    expect(valuesOf(enumsCatalog.witnessType)).toEqual(witnessTypeValues);
    expect(valuesOf(enumsCatalog.warningCode)).toEqual([
      'VERIFICATION_DOWNGRADED',
      'STAKE_CAPPED',
      'UNKNOWN_FIELD',
      'IDEMPOTENCY_KEY_REUSED',
      'KEY_EXPIRY_CLAMPED',
      'KEY_OPENS_CONFIRMATIONS',
      'RECEIPT_PENDING',
      'TEST_MODE_NOT_ALLOWED',
    ]);
  });

  test('agree with the lists that the routes check against', () => {
    const marked = enumsCatalog.eventType.filter((e) => e.ingestible).map((e) => e.value);
    expect([...ingestibleEventTypes]).toEqual(marked);
    expect(isIngestible('DISPUTE_FILED')).toBe(false);
    expect(confirmableEventTypes).toEqual(marked.filter((type) => type !== 'DISPUTE_RESOLVED_FOR_USER'));
  });
});

describe('the outcome templates', () => {
  const catalog = wholeCatalog();
  const all = catalog.templates.flatMap((entry) => entry.templates);

  test('cover the 28 industries in the documented order', () => {
    expect(catalog.version).toBe('1.2');
    expect(catalog.templates.map((entry) => entry.industry)).toEqual(industries);
    expect(catalog.industries).toEqual(catalog.templates.map(({ industry, label }) => ({ industry, label })));
  });

  test('have exactly the documented structure', () => {
    expect(Object.keys(catalog)).toEqual([
      'version',
      'note',
      'industries',
      'witnessTypes',
      'fieldGuide',
      'notTheWorkersOutcome',
      'templates',
      'disclosures',
    ]);
    for (const entry of catalog.templates) {
      expect(Object.keys(entry)).toEqual(['industry', 'label', 'description', 'templates']);
      for (const template of entry.templates) expect(Object.keys(template)).toEqual(templateFields);
    }
  });

  test.each(industries)('offer %s at least three cases, among them a good and a bad one', (industry) => {
    const cases = outcomeTemplates(industry)?.templates[0]?.templates ?? [];
    expect(cases.length).toBeGreaterThanOrEqual(3);
    expect(cases.some((template) => template.positive)).toBe(true);
    expect(cases.some((template) => !template.positive)).toBe(true);
  });

  test('never use a key or a text twice', () => {
    expectDistinct(all.map((template) => template.key));
    expectDistinct(all.map((template) => template.label));
    expectDistinct([...catalog.templates, ...all].map((described) => described.description));
    for (const { key } of all) expect(key).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  test('suggest only reportable types and existing stakes and witness types', () => {
    for (const template of all) {
      expect(confirmableEventTypes).toContain(template.eventType);
      expect(valuesOf(enumsCatalog.stakeLevel)).toContain(template.suggestedStake);
      expect(witnessTypeValues).toContain(template.witnessType);
    }
    expect(new Set(all.map((template) => template.witnessType)).size).toBe(witnessTypeValues.length);
  });

  test('call a case positive exactly when its type counts so', () => {
    const positiveTypes = ['TRANSACTION_COMPLETED', 'REVIEW_VERIFIED', 'CONTRACT_FULFILLED'];
    for (const template of all) {
      expect(template.positive, template.key).toBe(positiveTypes.includes(template.eventType));
    }
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
    expect(catalog.notTheWorkersOutcome.map((entry) => entry.key)).toEqual(
      expect.arrayContaining([
        'customer_absent',
        'cancelled_by_business',
        'weather_or_closure',
        'leave_with_notice',
        'opinion_of_the_person',
        'protected_characteristic',
      ]),
    );
  });

  test('can be filtered by industry and return nothing for an unknown one', () => {
    const one = outcomeTemplates('legal');
    expect(one?.templates.map((entry) => entry.industry)).toEqual(['legal']);
    expect(one?.industries).toHaveLength(28);
    expect(outcomeTemplates('astrology')).toBeUndefined();
    expect(outcomeTemplates('')).toBeUndefined();
  });
});

describe('the plans', () => {
  test('have the documented numbers', () => {
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
  });

  test('allow campaigns from growth on, screenings and agents on enterprise only', () => {
    expect(plans.map((plan) => plan.features)).toEqual([
      [],
      ['campaigns'],
      ['campaigns', 'screenings', 'agents'],
    ]);
    expect(requiredPlanOf('campaigns')).toBe('growth');
    expect(requiredPlanOf('screenings')).toBe('enterprise');
    expect(requiredPlanOf('agents')).toBe('enterprise');
    expect(planOpens('growth', 'screenings')).toBe(false);
    expect(planOpens('growth', 'campaigns')).toBe(true);
  });

  test('are found by key', () => {
    expect(planOf('growth').name).toBe('Growth');
  });

  test('are served with the limit for requests without a key and a note that no plan changes a score', () => {
    expect(plansCatalog()).toMatchObject({ plans, anonymousRateLimitPerMinute: 120 });
    expect(plansCatalog(7).anonymousRateLimitPerMinute).toBe(7);
    expect(plansCatalog().note).toMatch(/no plan .* moves a score/i);
  });
});

test('the errors are listed by code, and only statuses of errors', () => {
  const codes = Object.keys(errorCatalog);
  expect(codes).toEqual([...codes].sort());
  for (const { status } of Object.values(errorCatalog)) expect(status).toSatisfy((n) => n >= 400 && n < 600);
});

describe('the changelog', () => {
  test('has unique ids that begin with their date, newest first', () => {
    expectDistinct(changelog.map((entry) => entry.id));
    for (const { id, date } of changelog) {
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      expect(id.startsWith(`${date}-`)).toBe(true);
    }
    const days = changelog.map((entry) => entry.date);
    expect(days).toEqual([...days].sort().reverse());
  });

  test('names the version of the formula', () => {
    const changed = changelog.filter((entry) => entry.category === 'changed');
    expect(changed.some(({ summary }) => summary.includes(`formula ${FORMULA_VERSION}`))).toBe(true);
  });

  test('deprecates nothing because no answer announces a sunset', () => {
    expect(changelog.filter((entry) => entry.category === 'deprecated')).toEqual([]);
  });

  test('names endpoints as method and path', () => {
    for (const endpoint of changelog.flatMap((entry) => entry.endpoints)) {
      expect(endpoint).toMatch(/^(GET|POST|PATCH|DELETE) \/[A-Za-z/{}-]+$/);
    }
  });
});

test('has the documented component versions', () => {
  expect(versions).toEqual({
    api: 'v1',
    formula: '5.3',
    reasonCodes: '1.0',
    earnings: '1.0',
    professionalRecord: '1.1',
    verifiedProfile: '1.0',
    benchmarks: '1.0',
    outcomeTemplates: '1.2',
  });
});

test.each([
  ['enumerations', enumsCatalog],
  ['outcome templates', wholeCatalog()],
  ['plans', plansCatalog()],
  ['changelog', changelog],
])('no text of the %s is empty, padded or too long, and all survive JSON', (_name, catalogue) => {
  const texts = textsIn(catalogue);
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(text.trim()).toBe(text);
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThan(2000);
  }
  expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue);
});

const industries = [
  'dental_clinical',
  'trades_home_services',
  'skilled_trades_licensed',
  'automotive_repair',
  'home_care_personal_care',
  'healthcare_clinical',
  'veterinary',
  'hospitality_food',
  'retail_customer_service',
  'logistics_delivery',
  'transportation_freight',
  'warehouse_manufacturing',
  'cleaning_facilities',
  'landscaping_grounds',
  'staffing_shift_work',
  'security_services',
  'events_production',
  'childcare',
  'beauty_wellness',
  'education_tutoring',
  'professional_services',
  'legal',
  'finance_accounting',
  'creative_design',
  'engineering',
  'consulting',
  'real_estate',
  'software_engineering',
];

const witnessTypeValues = [
  'independent_authority',
  'customer_or_client',
  'supervisor_or_reviewer',
  'payment_or_marketplace',
];

const templateFields = [
  'key',
  'label',
  'description',
  'eventType',
  'positive',
  'suggestedStake',
  'witness',
  'witnessType',
  'confirmationHint',
  'timingBasis',
];

function wholeCatalog(): OutcomeTemplateCatalog {
  const catalog = outcomeTemplates();
  if (catalog === undefined) throw new Error('the whole catalogue is always there');
  return catalog;
}

function valuesOf(set: readonly { value: string }[]): string[] {
  return set.map((entry) => entry.value);
}

function expectDistinct(values: readonly string[]): void {
  expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
