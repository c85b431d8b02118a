import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnvelopeType, envelopeTypes, exampleEnvelope } from '#domain/envelopes/catalogue.js';
import { envelopeText } from '../../../src/features/notify/channels/envelopeText.js';

/** The sentence for the example of a type with some of its data replaced. */
function emitted(type: EnvelopeType, data: object = {}, envelope: object = {}): string {
  const example = exampleEnvelope(type);
  return envelopeText(JSON.stringify({ ...example, ...envelope, data: { ...example.data, ...data } }));
}

function policyOn(terms: { metric: string; [more: string]: unknown }, previous: unknown, current: unknown) {
  const condition = { threshold: null, component: null, band: null, ...terms };
  return { metric: terms.metric, condition, observed: { previous, current } };
}

describe('an envelope in words', () => {
  test.each<[EnvelopeType, string, object?]>([
    ['score.updated', 'The score of worker-4711 rose from 63.87 (Fair) to 66.10 (Good).'],
    [
      'score.updated',
      'The score of worker-4711 fell from 66.10 (Good) to 58.40 (Fair), as time passed.',
      { previousScore: 66.1, previousBand: 'Good', score: 58.4, band: 'Fair', reason: 'decay' },
    ],
    [
      'score.updated',
      'The first score of worker-4711 is 66.10 (Good).',
      { previousScore: null, previousBand: null },
    ],
    [
      'score.updated',
      'The score of worker-4711 rose from 63.87 (Fair) to 66.10 (Good), after a review.',
      { reason: 'velocity_cleared' },
    ],
    ['score.band_changed', 'worker-4711 moved from Fair (63.87) to Good (66.10).'],
    [
      'dispute.resolved',
      'The dispute about event 0199a3c2-9d10-7b44-8c2e-000000000004 was resolved in favour of worker-4711.',
    ],
    [
      'dispute.resolved',
      'The dispute about event 0199a3c2-9d10-7b44-8c2e-000000000004 was resolved against worker-4711.',
      { outcome: 'AGAINST_USER', status: 'RESOLVED_AGAINST_USER' },
    ],
    [
      'dispute.resolved',
      'The dispute about event 0199a3c2-9d10-7b44-8c2e-000000000004 ran out without a resolution and so ended in favour of worker-4711.',
      { lapsed: true },
    ],
    [
      'monitor.triggered',
      'The score of worker-4711 fell below the monitored 60.00, from 66.10 (Good) to 58.40 (Fair).',
    ],
    [
      'monitor.triggered',
      'The score of worker-4711 rose above the monitored 80.00, to 82.50 (Excellent).',
      {
        condition: 'above_score',
        threshold: 80,
        previousScore: null,
        previousBand: null,
        newScore: 82.5,
        newBand: 'Excellent',
      },
    ],
    [
      'monitor.triggered',
      'Monitor: worker-4711 moved from Good (66.10) to Fair (58.40).',
      { condition: 'band_change', threshold: null },
    ],
    [
      'policy.threshold_crossed',
      'Policy "Ask for references": worker-4711 is now below 60 (the score went from 66.10 to 58.40).',
    ],
    [
      'policy.threshold_crossed',
      'Policy "Ask for references": worker-4711 is no longer in the band Good (the band went from Good to Fair).',
      policyOn({ metric: 'band', direction: 'leave', band: 'Good' }, 'Good', 'Fair'),
    ],
    [
      'policy.threshold_crossed',
      'Policy "Ask for references": worker-4711 is now above 90 (the component timeliness went to 91.20).',
      policyOn(
        { metric: 'component', direction: 'above', threshold: 90, component: 'timeliness' },
        null,
        91.2,
      ),
    ],
    [
      'usage.quota_warning',
      "80.0 % of the month's quota is used, 800,211 of 1,000,000 calls; 199,789 are left until 2026-04-01.",
    ],
    [
      'import.completed',
      'Import 0199a3c2-9d10-7b44-8c2e-000000000005 is complete: 48,211 rows recorded, 1,200 skipped, 3 failed.',
    ],
    [
      'import.completed',
      'Import 0199a3c2-9d10-7b44-8c2e-000000000005 failed with 0 rows recorded, 0 skipped, 0 failed: The file has no header.',
      {
        status: 'FAILED',
        createdCount: 0,
        skippedCount: 0,
        failedCount: 0,
        error: 'The file has no header.',
      },
    ],
    [
      'screening.completed',
      'Screening 0199a3c2-9d10-7b44-8c2e-000000000006 is complete: 2,381 of 2,500 subjects found.',
    ],
    [
      'confirmation.awaiting_response',
      'After 48.2 hours R. Okafor has not answered the request to confirm an outcome of worker-4711.',
    ],
    [
      'confirmation.expiring_soon',
      'The request to customer-88 to confirm an outcome of worker-4711 ends in 23.5 hours and is not answered yet.',
      { counterpartyName: null },
    ],
    [
      'review.requested',
      'worker-4711 objects to event 0199a3c2-9d10-7b44-8c2e-000000000004 and asks for an answer until 2026-03-15.',
    ],
    [
      'review.requested',
      'The review of their record that worker-4711 asked for still has no answer. It is due until 2026-03-15.',
      { eventId: null, reminder: true },
    ],
    [
      'review.answered',
      'The review of event 0199a3c2-9d10-7b44-8c2e-000000000004 that worker-4711 asked for was answered in time: CORRECTED.',
    ],
    [
      'review.overdue',
      'The review of their record that worker-4711 asked for is overdue. It was due until 2026-03-15.',
      { eventId: null },
    ],
    [
      'key.created',
      'The live API key "nightly import" (0199a3c2-9d10-7b44-8c2e-000000000007) was created by the key 0199a3c2-9d10-7b44-8c2e-000000000008.',
    ],
    [
      'key.created',
      'The test API key 0199a3c2-9d10-7b44-8c2e-000000000007 was made to replace 0199a3c2-9d10-7b44-8c2e-000000000006 by the operator.',
      {
        label: null,
        isTest: true,
        createdBy: 'operator',
        rotatedFrom: '0199a3c2-9d10-7b44-8c2e-000000000006',
      },
    ],
    [
      'key.expiring',
      'The live API key "nightly import" (0199a3c2-9d10-7b44-8c2e-000000000007) ends in 168 hours (last used 2026-03-01T15:45:02.161Z).',
    ],
    [
      'key.expiring',
      'The live API key "nightly import" (0199a3c2-9d10-7b44-8c2e-000000000007) ends in 1 hour (never used).',
      { lastUsedAt: null, hoursUntilExpiry: 1 },
    ],
  ])('%s: %s', (type, sentence, data) => {
    expect(emitted(type, data)).toBe(sentence);
  });

  test.each(envelopeTypes)('%s of test data says so', (type) => {
    expect(emitted(type, {}, { livemode: false })).toBe(`[test] ${emitted(type)}`);
    expect(emitted(type, {}, { livemode: undefined })).toBe(emitted(type));
  });

  test.each(envelopeTypes)('%s of another shape gives the description of its type', (type) => {
    const { data, ...rest } = exampleEnvelope(type);
    const cut = Object.fromEntries(Object.entries(data).slice(2));
    for (const other of [undefined, null, [], {}, 'text', cut]) {
      const text = envelopeText(JSON.stringify({ ...rest, data: other }));
      expect(text).toMatch(/^[A-Z].*\.$/);
      expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });

  test('unknown fields are ignored', () => {
    expect(emitted('score.updated', { colour: 'green' })).toBe(emitted('score.updated'));
  });

  test('it never fails and never has two lines', () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ type: fc.constantFrom(...envelopeTypes), livemode: fc.boolean(), data: fc.jsonValue() })
        .map((envelope) => JSON.stringify(envelope)),
      fc
        .record({
          type: fc.constantFrom(...envelopeTypes),
          text: fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
        })
        .map(({ type, text }) => JSON.stringify(withTexts(exampleEnvelope(type), text))),
    );
    fc.assert(
      fc.property(body, (text) => {
        const sentence = envelopeText(text);
        expect(sentence.length).toBeGreaterThan(0);
        expect(sentence).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 500 },
    );
  });

  test('long texts of a platform are cut', () => {
    const sentence = emitted('policy.threshold_crossed', { policyName: '🙂'.repeat(255) });
    expect(sentence).toContain(`${'🙂'.repeat(200)}…"`);
    expect(sentence).not.toContain('🙂'.repeat(201));
  });
});

/** Replaces every free text in the data of an envelope. */
function withTexts({ data, ...rest }: { data: object }, text: string): object {
  const free = ['policyName', 'externalId', 'userId', 'counterpartyName', 'error'];
  const replaced = JSON.parse(JSON.stringify(data), (key, value) => (free.includes(key) ? text : value));
  return { ...rest, data: replaced };
}
