import { dayOf, foldTallies, score, scoreBandOf } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { type HypotheticalEvent, projectScore } from '../../src/features/insight/records/projection.js';

const none = { tallies: [], published: null };
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
    const nothing = {
      baseline: 'blank',
      frozen: false,
      current: blank,
      projected: blank,
      delta: { score: 0, band: null },
    };
    expect(projectScore(none, [{ ...event, eventType: 'PROJECT_LOGGED' }], NOW)).toEqual(nothing);
    expect(projectScore(none, [{ ...event, eventType: 'CONTRACT_CANCELLED' }], NOW)).toEqual(nothing);
  });

  test('names the current and the next band and the points between them to two decimals', () => {
    const tallies = foldTallies(Array(3).fill({ ...event, createdAt: NOW }));
    const published = { score: 41.5, band: 'Building' as const, frozen: false };
    const { current, projected, delta } = projectScore({ tallies, published }, Array(9).fill(event), NOW);
    expect(current).toEqual({ score: 41.5, band: 'Building' });
    const reached = score(
      [...tallies, ...foldTallies(Array(9).fill({ ...event, createdAt: NOW }))],
      dayOf(NOW),
    );
    expect(projected).toEqual({ score: reached?.finalScore, band: reached?.scoreBand });
    expect(delta).toEqual({
      score: Number((projected.score - current.score).toFixed(2)),
      band: { from: current.band, to: projected.band },
    });
  });

  test('adds the effect of the events to a frozen score, within 0 to 100', () => {
    const tallies = foldTallies(Array(3).fill({ ...event, createdAt: NOW }));
    const before = score(tallies, dayOf(NOW))?.finalScore ?? 0;
    const frozen = (score: number) => ({
      tallies,
      published: { score, band: scoreBandOf(score), frozen: true },
    });
    const moving = { tallies, published: { ...frozen(before).published, frozen: false } };
    const worth = projectScore(moving, [event], NOW).delta.score;
    expect(worth).toBeGreaterThan(0);
    const from40 = projectScore(frozen(40), [event], NOW);
    expect(from40).toMatchObject({ frozen: true, current: { score: 40 }, delta: { score: worth } });
    expect(projectScore(frozen(99.99), [event], NOW).projected).toEqual({ score: 100, band: 'Excellent' });
    const nothing = projectScore(frozen(40), [{ ...event, eventType: 'PROJECT_LOGGED' }], NOW);
    expect(nothing.delta).toEqual({ score: 0, band: null });
  });

  test('weighs a future event as one of today', () => {
    const later = { ...event, dueDate: new Date('2026-05-01'), completedAt: new Date('2026-04-30') };
    const today = { ...event, dueDate: NOW, completedAt: NOW };
    expect(projectScore(none, [later], NOW)).toEqual(projectScore(none, [today], NOW));
  });

  test('does not change the tallies', () => {
    const tallies = Object.freeze(foldTallies([{ ...event, createdAt: NOW }]).map(Object.freeze));
    projectScore({ tallies: tallies as never, published: null }, [event], NOW);
    expect(tallies).toHaveLength(1);
  });
});
