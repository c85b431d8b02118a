import { describe, expect, test } from 'vitest';
import {
  confidenceLabelOf,
  eventKindOf,
  eventTypes,
  model,
  outcomeClassOf,
  type ScoreBand,
  scoreBandOf,
  scoreBands,
} from '../src/index.js';

describe('the model', () => {
  test('survives JSON unchanged', () => {
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });

  test('is read-only at every depth', () => {
    expect(() => Object.assign(model, { anchor: 50 })).toThrow(TypeError);
    expect(() => Object.assign(model.weights, { completion: 1 })).toThrow(TypeError);
    expect(() => Object.assign(model.bands[0], { minimum: 0 })).toThrow(TypeError);
  });

  test('has weights that sum to 1', () => {
    const { completion, timeliness, disputes, verification } = model.weights;
    expect(completion + timeliness + disputes + verification).toBeCloseTo(1, 12);
  });

  test('keeps the two inequalities that make the score monotone', () => {
    const { anchor, unverifiedGateMax, weights } = model;
    const bestUnverified = 100 * (1 - weights.verification);
    const highestStart = anchor + (bestUnverified - anchor) * unverifiedGateMax;
    const lowestStart = anchor * (1 - unverifiedGateMax);
    // (a) a good outcome is worth more than any start, (b) a contested one at most the lowest start
    expect(highestStart).toBeLessThanOrEqual(100 * weights.completion);
    expect(lowestStart).toBeGreaterThanOrEqual(100 * weights.disputes);
    expect(model.unprovenCeiling).toBe(highestStart);
  });

  test.each<[number, ScoreBand]>([
    [100, 'Excellent'],
    [80, 'Excellent'],
    [79.99, 'Good'],
    [65, 'Good'],
    [64.99, 'Fair'],
    [50, 'Fair'],
    [49.99, 'Building'],
    [35, 'Building'],
    [34.99, 'Unproven'],
    [20, 'Unproven'],
    [19.99, 'High Risk'],
    [0, 'High Risk'],
  ])('%d is %s', (points, band) => expect(scoreBandOf(points)).toBe(band));

  test('lists its bands highest first', () => {
    expect(model.bands.map(({ band }) => band)).toEqual(scoreBands);
  });

  test.each([
    [0.3499, 'low'],
    [0.35, 'medium'],
    [0.6999, 'medium'],
    [0.7, 'high'],
  ])('a confidence of %d is %s', (confidence, label) => expect(confidenceLabelOf(confidence)).toBe(label));

  test('gives every event type one class and one kind', () => {
    const rows = eventTypes.map((type) => `${type} ${outcomeClassOf(type)} ${eventKindOf(type)}`);
    expect(rows).toEqual([
      'TRANSACTION_COMPLETED positive outcome',
      'TRANSACTION_DISPUTED contested outcome',
      'TRANSACTION_CANCELLED none outcome',
      'REVIEW_VERIFIED positive outcome',
      'CONTRACT_FULFILLED positive outcome',
      'CONTRACT_CANCELLED none outcome',
      'CONTRACT_BREACHED breach outcome',
      'DISPUTE_FILED contested outcome',
      'DISPUTE_RESOLVED_FOR_USER positive outcome',
      'DISPUTE_RESOLVED_AGAINST_USER breach outcome',
      'EDUCATION_VERIFIED none qualification',
      'SKILL_VERIFIED none qualification',
      'CERTIFICATION_VERIFIED none qualification',
      'EMPLOYMENT_VERIFIED none qualification',
      'PROJECT_LOGGED none project',
    ]);
  });
});
