import { confidenceLabels, factorNames } from '@reliability/scoring';
import { z } from 'zod';
import { languageTags } from '../../../domain/languages.js';
import { courseSteps } from '../../../domain/scoreCourse.js';
import { CoursePoint, HistoryEntry, scoreFields } from '../../../domain/scoreFields.js';
import { tenureFields } from '../../../domain/tenure.js';
import { instant } from '../../../kit/http/query.js';

export const ReportQuery = z.object({
  format: z.enum(['json', 'html']).optional().default('json'),
  lang: z.enum(languageTags).optional(),
});

const count = z.int().min(0).nullable();
const { finalScore, scoreBand, confidence, behavioralQuality, totalEvents, verifiedEvents } = scoreFields;
const { formulaVersion, computedAt } = scoreFields;

const reason = z.object({
  code: z.string(),
  title: z.string(),
  text: z.string(),
});

export type ReliabilityReport = z.output<typeof ReliabilityReport>;
export const ReliabilityReport = z
  .object({
    userId: z.string(),
    platformName: z.string(),
    generatedAt: instant,
    finalScore,
    scoreBand,
    confidence,
    confidenceLabel: z.enum(confidenceLabels),
    behavioralQuality,
    totalEvents,
    verifiedEvents,
    frozen: z.boolean(),
    formulaVersion,
    computedAt,
    summary: z.string(),
    startingScore: z.number().min(0).max(100),
    factors: z.array(
      z.object({ name: z.enum(factorNames), contribution: z.number(), description: z.string() }),
    ),
    supportingFactors: z.array(reason),
    adverseActionReasons: z.array(reason),
    reasonCodesVersion: z.string(),
    restsOn: z.object({
      verifiedOutcomes: count,
      verifiedByClass: z.object({ positive: count, breach: count, contested: count }).nullable(),
      totalOutcomes: count,
      verificationDepth: z.number().min(0).max(1).nullable(),
      verifiedPlatforms: count,
      tenure: z
        .object({ firstOutcomeOn: z.iso.date(), lastOutcomeOn: z.iso.date(), days: z.int().min(0) })
        .nullable(),
      registeredAt: tenureFields.registeredAt,
    }),
    courseStep: z.enum(courseSteps),
    course: z.array(CoursePoint),
    history: z.array(
      HistoryEntry.pick({
        finalScore: true,
        scoreBand: true,
        totalEvents: true,
        verifiedEvents: true,
        reason: true,
        computedAt: true,
      }),
    ),
    historyThinned: z.boolean(),
    disclosures: z.array(z.string()),
  })
  .meta({ id: 'ReliabilityReport' });
