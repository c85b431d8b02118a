import type { Factor } from '@reliability/scoring';
import type { CourseStep } from '../../domain/scoreCourse.js';

/** The report to print. Figures and times are passed in as text, names isolated. */
export interface ReportTexts {
  readonly kind: string;
  title(subject: string): string;
  origin(platform: string, host: string, moment: string): string;

  readonly courseHeading: string;
  course(first: string, last: string, lowest: string, highest: string): string;
  onlyDay(score: string): string;
  scoreOn(score: string, day: string): string;
  readonly courseNote: string;
  readonly asTable: string;
  readonly lastDays: Readonly<Record<CourseStep, string>>;
  readonly score: string;
  readonly band: string;
  readonly newResults: string;

  readonly publishedHeading: string;
  readonly notAllShown: string;
  readonly date: string;
  readonly resultsConfirmed: string;
  readonly reason: string;
  /** Why a score changed, by the reason of the snapshot. */
  readonly reasons: Readonly<Record<string, string>>;

  readonly kept: string;
  readonly broken: string;
  readonly disputed: string;
  readonly confirmedShare: string;
  percent(share: number): string;
  readonly first: string;
  readonly latest: string;

  readonly sumHeading: string;
  readonly start: string;
  readonly factors: Readonly<Record<Factor, string>>;
  readonly total: string;
  readonly raisesHeading: string;
  readonly raisesNothing: string;
  readonly lowersHeading: string;
  readonly lowersNothing: string;
  readonly noteHeading: string;
  versions(formula: string, codes: string, moment: string): string;
}
