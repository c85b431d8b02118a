import { dayOf, foldTallies, score, scoreBandOf } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { type HypotheticalEvent, projectScore } from '../../src/features/insight/records/projection.js';

const NOW = new Date('2026-02-10T12:00:00.000Z');
const event: HypotheticalEvent = {
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  platformTier: 'ENTERPRISE',
  isVerified: true,
  dueDate: null,
  completedAt: null,
};

// That it equals the score after the same events: features/insight/recordsProjection.slow.test.ts.
describe('a projection', () => {
  test('adds the effect of the events to a frozen score, within 0 to 100', () => {
    const tallies = foldTallies(Array(3).fill({ ...event, createdAt: NOW }));
    const before = score(tallies, dayOf(NOW))?.finalScore ?? 0;
    const of = (score: number, frozen: boolean, added = event) =>
      projectScore({ tallies, published: { score, band: scoreBandOf(score), frozen } }, [added], NOW);
    const worth = of(before, false).delta.score;
    expect(worth).toBeGreaterThan(0);
    expect(of(40, true)).toMatchObject({ frozen: true, current: { score: 40 }, delta: { score: worth } });
    expect(of(99.99, true).projected).toEqual({ score: 100, band: 'Excellent' });
    expect(of(40, true, { ...event, eventType: 'PROJECT_LOGGED' }).delta).toEqual({ score: 0, band: null });
  });

  test('weighs a future event as one of today', () => {
    const later = { ...event, dueDate: new Date('2026-05-01'), completedAt: new Date('2026-04-30') };
    const of = (one: HypotheticalEvent) => projectScore({ tallies: [], published: null }, [one], NOW);
    expect(of(later)).toEqual(of({ ...event, dueDate: NOW, completedAt: NOW }));
  });
});
