import { reasonCodeCatalog } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { enumsCatalog } from '../../src/features/system/catalogues/enumsCatalog.js';
import { errorsOf } from './plainLanguage.js';

/**
 * Except the sets that developers read at `/webhooks/events`, and those of signals, which give
 * statistics.
 */
const everydaySets = Object.entries(enumsCatalog).filter(
  ([set]) => !['webhookEventType', 'riskSignal'].includes(set),
);

describe('texts that workers read about their records', () => {
  test.each(reasonCodeCatalog.codes.map(({ code, title, description }) => ({ code, title, description })))(
    '$code is described in plain words',
    ({ title, description }) => {
      expect(errorsOf(`${title}.`)).toEqual([]);
      expect(title.split(' ').length).toBeLessThanOrEqual(5);
      expect(errorsOf(description)).toEqual([]);
    },
  );

  test('the disclosures are in plain words', () => {
    expect(reasonCodeCatalog.disclosures.flatMap(errorsOf)).toEqual([]);
  });

  test.each(everydaySets)('every value of %s is described in plain words', (_set, values) => {
    for (const { value, description, ...more } of values) {
      expect([value, errorsOf(description)]).toEqual([value, []]);
      if ('effect' in more) expect([value, errorsOf(more.effect)]).toEqual([value, []]);
    }
    if (values !== enumsCatalog.eventType)
      expect(new Set(values.map((v) => v.description)).size).toBe(values.length);
  });

  test('the test finds jargon', () => {
    const tedious =
      'Where, pursuant to the ledger, the counterparty evidenced an adverse obligation of the entity, the weighted metric is ' +
      'aggregated across each cohort of attested behavioural signals that has been ingested in the window under consideration.';
    expect(errorsOf(tedious).length).toBeGreaterThan(5);
    expect(errorsOf('You should hire this person.')).toHaveLength(1);
    expect(errorsOf('The rate is undefined.')).toHaveLength(1);
    expect(errorsOf('no sentence')).toHaveLength(1);
    expect(errorsOf('This is plain.')).toEqual([]);
  });
});
