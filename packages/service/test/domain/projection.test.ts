import { dayOf, foldTallies, score } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { type HypotheticalEvent, projectScore } from '../../src/domain/projection.js';

const NOW = new Date('2026-02-10T12:00:00.000Z');
const event: HypotheticalEvent = {
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  platformTier: 'ENTERPRISE',
  isVerified: true,
  dueDate: null,
  completedAt: null,
};

describe('a projection', () => {
  test('starts at 20, Unproven, where no event counts', () => {
    const blank = { score: 20, band: 'Unproven' };
    const nothing = { baseline: 'blank', current: blank, projected: blank, delta: { score: 0, band: null } };
    expect(projectScore([], [{ ...event, eventType: 'PROJECT_LOGGED' }], NOW)).toEqual(nothing);
    expect(projectScore([], [{ ...event, eventType: 'CONTRACT_CANCELLED' }], NOW)).toEqual(nothing);
  });

  test('names the bands it leads from and to, and the points between, to two decimals', () => {
    const tallies = foldTallies(Array(3).fill({ ...event, createdAt: NOW }));
    const { current, projected, delta } = projectScore(tallies, Array(9).fill(event), NOW);
    const before = score(tallies, dayOf(NOW));
    expect(current).toEqual({ score: before?.finalScore, band: before?.scoreBand });
    expect(delta).toEqual({
      score: Number((projected.score - current.score).toFixed(2)),
      band: { from: current.band, to: projected.band },
    });
  });

  test('an event to come is weighed as one of today', () => {
    const later = { ...event, dueDate: new Date('2026-05-01'), completedAt: new Date('2026-04-30') };
    const today = { ...event, dueDate: NOW, completedAt: NOW };
    expect(projectScore([], [later], NOW)).toEqual(projectScore([], [today], NOW));
  });

  test('leaves the tallies as they are', () => {
    const tallies = Object.freeze(foldTallies([{ ...event, createdAt: NOW }]).map(Object.freeze));
    projectScore(tallies as never, [event], NOW);
    expect(tallies).toHaveLength(1);
  });
});
