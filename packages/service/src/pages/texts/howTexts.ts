import type { Factor, PlatformTier, StakeLevel } from '@reliability/scoring';
import type { Outcome } from '../how/example.js';

/** The page /how, for people who want to know how a score comes about. Numbers are passed in as text. */
export interface HowTexts {
  readonly title: string;
  readonly kind: string;
  readonly heading: string;
  readonly lead: readonly string[];

  readonly tryHeading: string;
  readonly tryLead: string;
  /** For readers without a script. */
  readonly withoutScript: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly age: string;
  ageOf(days: string): string;
  readonly stake: string;
  readonly stakes: Readonly<Record<StakeLevel, string>>;
  readonly tier: string;
  readonly tiers: Readonly<Record<PlatformTier, string>>;
  readonly reset: string;

  readonly sumHeading: string;
  readonly noScore: string;
  readonly start: string;
  readonly factors: Readonly<Record<Factor, string>>;
  readonly factorNotes: Readonly<Record<Factor, string>>;
  readonly total: string;
  readonly evidence: string;
  readonly laterHeading: string;
  readonly later: Readonly<Record<'year' | 'twoYears', string>>;

  readonly bandsHeading: string;
  readonly countsHeading: string;
  counts(numbers: {
    start: string;
    severity: string;
    ceiling: string;
    halfLifeDays: string;
  }): readonly string[];
  readonly formulaHeading: string;
  readonly formulaLead: string;
  /** What each line of the formula means. */
  readonly formulaNotes: Readonly<Record<'weight' | 'quality' | 'score' | 'limits', string>>;
  readonly notHeading: string;
  readonly not: readonly string[];
  readonly moreHeading: string;
  readonly more: Readonly<Record<'check' | 'model' | 'docs', string>>;
}
