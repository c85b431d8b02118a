import { confidenceLabels, factorNames, model, reasonCodeCatalog } from '@reliability/scoring';
import { z } from 'zod';
import { languageTags } from '../../../domain/languages.js';
import { courseSteps } from '../../../domain/scoreCourse.js';
import {
  COURSE_EXAMPLE,
  CoursePoint,
  HISTORY_ENTRY_EXAMPLE,
  HistoryEntry,
  points,
  scoreFields,
} from '../../../domain/scoreFields.js';
import { tenureFields } from '../../../domain/tenure.js';
import { instant } from '../../../kit/http/query.js';

export const ReportQuery = z.object({
  format: z.enum(['json', 'html']).optional().default('json').meta({
    description: '`json`, or `html` for a page to print.',
    example: 'html',
  }),
  lang: z.enum(languageTags).optional().meta({
    description:
      '`en` or `de`. Default of the page: the preference of the browser by `Accept-Language`. Default of the data: `en`.',
    example: 'de',
  }),
});

const count = z.int().min(0).nullable();
const { finalScore, scoreBand, confidence, behavioralQuality, totalEvents, verifiedEvents } = scoreFields;
const { formulaVersion, computedAt } = scoreFields;

const reason = z.object({
  code: z.string().meta({ description: 'One of the codes of `GET /reason-codes`.' }),
  title: z.string(),
  text: z.string().meta({ description: 'The reason with its figures, in plain words.' }),
});

export type ReliabilityReport = z.output<typeof ReliabilityReport>;
export const ReliabilityReport = z
  .object({
    userId: z.string().meta({ description: 'Your id of the subject, as in the path.' }),
    platformName: z.string().meta({ description: 'The platform that created the report.' }),
    generatedAt: instant.meta({ description: 'When the report was created.' }),
    finalScore,
    scoreBand,
    confidence,
    confidenceLabel: z.enum(confidenceLabels),
    behavioralQuality,
    totalEvents,
    verifiedEvents,
    frozen: z.boolean().meta({ description: 'The score is under review and does not change.' }),
    formulaVersion,
    computedAt,
    summary: z.string().meta({ description: 'The score in a few sentences.' }),
    startingScore: points('Where every record starts. The score is this plus the contributions.'),
    factors: z.array(
      z.object({ name: z.enum(factorNames), contribution: z.number(), description: z.string() }),
    ),
    supportingFactors: z.array(reason).meta({ description: 'Most significant first.' }),
    adverseActionReasons: z.array(reason).meta({ description: 'Most significant first, complete.' }),
    reasonCodesVersion: z.string(),
    restsOn: z
      .object({
        verifiedOutcomes: count,
        verifiedByClass: z.object({ positive: count, breach: count, contested: count }).nullable(),
        totalOutcomes: count,
        verificationDepth: z.number().min(0).max(1).nullable(),
        verifiedPlatforms: count,
        tenure: z
          .object({ firstOutcomeOn: z.iso.date(), lastOutcomeOn: z.iso.date(), days: z.int().min(0) })
          .nullable(),
        registeredAt: tenureFields.registeredAt,
      })
      .meta({ description: 'The figures of the professional record, of all linked platforms.' }),
    courseStep: z.enum(courseSteps).meta({
      description:
        'The time between two points of `course`: `day` up to 92 days, `week` up to two years, then `month`.',
    }),
    course: z.array(CoursePoint).meta({
      description:
        'The score over time, oldest first: each outcome counts from the day on which it happened. The last point is the score ' +
        'of this report. At most 30 years. The chart shows it.',
    }),
    history: z
      .array(
        HistoryEntry.pick({
          finalScore: true,
          scoreBand: true,
          totalEvents: true,
          verifiedEvents: true,
          reason: true,
          computedAt: true,
        }),
      )
      .meta({
        description:
          'Published changes of the score, newest first, at most 60: what was published, and when.',
      }),
    historyThinned: z.boolean().meta({
      description: 'There were more changes. `GET /users/{id}/score/history` lists every one.',
    }),
    disclosures: z.array(z.string()).meta({ description: 'Show them wherever you show the report.' }),
  })
  .meta({
    id: 'ReliabilityReport',
    description: 'A score with everything that it is based on. Evidence, never a decision.',
    example: {
      userId: 'worker-4711',
      platformName: 'Northwind Works',
      generatedAt: '2026-03-02T09:00:00.000Z',
      finalScore: 78.42,
      scoreBand: 'Good',
      confidence: 0.7412,
      confidenceLabel: 'high',
      behavioralQuality: 90.67,
      totalEvents: 23,
      verifiedEvents: 19,
      frozen: false,
      formulaVersion: '5.3',
      computedAt: '2026-03-01T15:45:02.161Z',
      summary:
        'The score is 78.42 of 100, in the band Good. It rests on 23 entries. Others confirmed 19 of them. Much confirmed work supports it.',
      startingScore: model.anchor,
      factors: [
        { name: 'completion', contribution: 24.1, description: '18 of 19 verified outcomes completed.' },
        { name: 'timeliness', contribution: 19.35, description: '15 of 17 on time.' },
        { name: 'disputes', contribution: 9.02, description: 'No outcome is contested.' },
        { name: 'verification', contribution: 5.95, description: '18 of 22 confirmed by another party.' },
        { name: 'gate', contribution: 0, description: 'Floor and ceiling changed nothing.' },
      ],
      supportingFactors: [
        {
          code: 'CLEAN_DISPUTE_RECORD',
          title: titleOf('CLEAN_DISPUTE_RECORD'),
          text: 'There is no dispute on the record, which holds 23 results.',
        },
      ],
      adverseActionReasons: [],
      reasonCodesVersion: '1.0',
      restsOn: {
        verifiedOutcomes: 19,
        verifiedByClass: { positive: 18, breach: 1, contested: 0 },
        totalOutcomes: 23,
        verificationDepth: 0.8261,
        verifiedPlatforms: 2,
        tenure: { firstOutcomeOn: '2024-05-14', lastOutcomeOn: '2026-03-01', days: 656 },
        registeredAt: '2025-09-14T08:30:00.000Z',
      },
      courseStep: 'month',
      course: COURSE_EXAMPLE,
      history: [
        {
          finalScore: HISTORY_ENTRY_EXAMPLE.finalScore,
          scoreBand: HISTORY_ENTRY_EXAMPLE.scoreBand,
          totalEvents: HISTORY_ENTRY_EXAMPLE.totalEvents,
          verifiedEvents: HISTORY_ENTRY_EXAMPLE.verifiedEvents,
          reason: HISTORY_ENTRY_EXAMPLE.reason,
          computedAt: HISTORY_ENTRY_EXAMPLE.computedAt,
        },
      ],
      historyThinned: false,
      disclosures: [...reasonCodeCatalog.disclosures],
    },
  });

function titleOf(code: string): string {
  return reasonCodeCatalog.codes.find((entry) => entry.code === code)?.title ?? '';
}
