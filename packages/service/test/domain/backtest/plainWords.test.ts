import { describe, expect, test } from 'vitest';
import { otherFormulaOf } from '#domain/backtest/otherFormula.js';
import {
  bandsInWords,
  calibrationInWords,
  counted,
  percent,
  rankingInWords,
  signedPoints,
  summaryOf,
} from '#domain/backtest/report.js';
import { words } from '#harness/words.js';
import { textReport } from '../../../src/commands/backtest/textReport.js';
import { backtest, makeMarket, OPTIONS, TODAY } from './market.js';

const other = otherFormulaOf({ unverifiedGateMax: 0.5 });
const reportOf = (subjects: number) =>
  backtest(makeMarket(subjects, TODAY), { ...OPTIONS, from: TODAY - 400 }, other);

describe('a backtest in words', () => {
  const report = reportOf(80);

  test('says what was compared', () => {
    const { pairs, subjects } = report;
    expect(summaryOf(report)).toContain(
      `${counted(pairs)} pairs of ${subjects} subjects at 11 cut-offs from`,
    );
    expect(summaryOf({ ...report, by: 'outcome' })).toContain('from what had happened before the cut-off');
    expect(summaryOf({ ...report, asOf: ['2026-01-01'] })).toContain('at one cut-off, 2026-01-01.');
    expect(summaryOf({ ...report, asOf: [] })).toBe('There was nothing to compare.');
  });

  test('says it when a simpler predictor ranks better', () => {
    const { rivals } = report.discrimination;
    const ranked = (auc: number, completionRate: number) =>
      rankingInWords({
        ...report,
        discrimination: {
          auc,
          ci95: [0.6, 0.8],
          rivals: { ...rivals, completionRate, betaRate: 0.1, behavioralQuality: 0.1 },
        },
      });
    expect(ranked(0.65, 0.71)).toContain('A simpler predictor ranks better: Completion rate reaches 0.710.');
    expect(ranked(0.75, 0.71)).toContain('No simpler predictor ranks better: Completion rate reaches 0.710.');
    expect(ranked(0.65, 0.71)).toContain('the AUC is 0.650 (0.600 to 0.800)');
  });

  test('says nothing where nothing is known', () => {
    const none = reportOf(0);
    expect(rankingInWords(none)).toContain('Nothing can be said');
    expect(calibrationInWords(none)).toContain('Nothing can be said');
    expect(bandsInWords(none)).toContain('Too few bands');
    expect(percent(null)).toBe('–');
  });

  test('compares calibration with the base rate', () => {
    const calibrated = (brier: number, brierOfBaseRate: number) =>
      calibrationInWords({
        ...report,
        calibration: { brier, brierOfBaseRate, skill: 1 - brier / brierOfBaseRate, curve: [] },
      });
    expect(calibrated(0.05, 0.1)).toContain('0.0500, less than the 0.1000');
    expect(calibrated(0.12, 0.1)).toContain('more than the 0.1000');
    expect(calibrated(0.1, 0.1)).toContain('as much as the 0.1000');
  });

  test('writes signs as people read them', () => {
    const signed = [1.25, -0.3, 0, -0.001].map((points) => signedPoints(points, 2));
    expect(signed).toEqual(words`+1.25 −0.3 0 0`);
  });

  test('fits a terminal of a hundred columns, with every figure and every caveat', () => {
    const text = textReport(report);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    for (const part of [
      'Excellent',
      'Completion rate',
      '0 to 29',
      'Enterprise',
      'Person',
      'medium',
      'From band',
    ])
      expect(text).toContain(part);
    expect(text).toContain('! Inequality (a)');
    expect(text.match(/^- /gm)).toHaveLength(report.caveats.length);
  });
});
