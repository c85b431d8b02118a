import { factorNames, platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { EVENT_EXAMPLE, EventRecordSchema } from '../../../domain/outcomeEvent.js';
import { HISTORY_ENTRY_EXAMPLE, HistoryEntry, scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, instant, pageLimit } from '../../../kit/http/query.js';

const userId = z.string().meta({ description: 'Your id of the subject.' });

export const DispatchQuery = z.object({
  context: z
    .enum(['dispatch'])
    .default('dispatch')
    .meta({ description: 'Purpose of the read. Only `dispatch` exists.' }),
});

export type Dispatch = z.output<typeof Dispatch>;
export const Dispatch = z
  .object({
    userId,
    finalScore: scoreFields.finalScore.nullable(),
    scoreBand: scoreFields.scoreBand.nullable(),
    confidence: scoreFields.confidence.nullable(),
    frozen: z.boolean().meta({
      description: 'True while unusual volume is under review. The ledger grows, the figures do not change.',
    }),
    verifiedEvents: scoreFields.verifiedEvents.nullable(),
    totalEvents: scoreFields.totalEvents.nullable(),
    noShowRate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description:
          'Share of breaches in all outcomes, four decimals. Cancellations are not outcomes. A contested outcome is an outcome, but ' +
          'not a breach while its dispute is open.',
      }),
    onTime: z.number().min(0).max(100).nullable().meta({
      description: 'The component `timeliness`; null if no outcome has both dates.',
    }),
    daysSinceLastEvent: z.int().min(0).nullable().meta({
      description: 'Whole UTC days since the latest event on the record occurred.',
    }),
    topDrivers: z
      .array(z.object({ factor: z.enum(factorNames), contribution: z.number() }))
      .max(3)
      .meta({
        description:
          'The factors that changed the score most from its initial value of 20, in points, largest first. Empty without a score.',
      }),
  })
  .meta({
    id: 'DispatchRead',
    description: 'The figures needed to assign the next job. An unknown figure is null, never 0.',
    example: {
      userId: 'worker-4711',
      finalScore: 78.42,
      scoreBand: 'Good',
      confidence: 0.7412,
      frozen: false,
      verifiedEvents: 19,
      totalEvents: 23,
      noShowRate: 0.0435,
      onTime: 88.24,
      daysSinceLastEvent: 3,
      topDrivers: [
        { factor: 'completion', contribution: 24.1 },
        { factor: 'timeliness', contribution: 19.35 },
        { factor: 'disputes', contribution: 9.02 },
      ],
    },
  });

export type TimelineQuery = z.output<typeof TimelineQuery>;
export const TimelineQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export type Timeline = z.output<typeof Timeline>;
export const Timeline = z
  .object({
    items: z.array(
      z.object({
        kind: z.enum(['event', 'score']),
        at: instant.meta({ description: 'When the event was recorded or the score computed.' }),
        event: EventRecordSchema.optional().meta({ description: 'One of your own events.' }),
        score: HistoryEntry.optional().meta({ description: 'A published score change.' }),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'Timeline',
    description:
      'Events and score changes in one list, newest first. An item has `event` or `score`, depending on its `kind`.',
    example: {
      items: [
        { kind: 'score', at: HISTORY_ENTRY_EXAMPLE.computedAt, score: HISTORY_ENTRY_EXAMPLE },
        { kind: 'event', at: EVENT_EXAMPLE.createdAt, event: EVENT_EXAMPLE },
      ],
      nextCursor: null,
    },
  });

export type Contributions = z.output<typeof Contributions>;
export const Contributions = z
  .object({
    platforms: z.array(
      z.object({
        self: z.boolean().meta({ description: 'True for your own platform.' }),
        name: z.string().nullable().meta({ description: 'The name of your platform; null for every other.' }),
        trustTier: z.enum(platformTiers),
        trustMultiplier: z
          .number()
          .meta({ description: 'The factor that the tier applies to the weight of a report.' }),
        eventCount: z.int().min(1).meta({ description: 'Number of its events that the score includes.' }),
        verifiedEventCount: z.int().min(0),
        firstEventAt: instant.nullable().meta({ description: 'When its first event was recorded.' }),
        lastEventAt: instant.nullable().meta({ description: 'When its latest event was recorded.' }),
      }),
    ),
    erasedEvents: z.int().min(0).meta({
      description: 'Number of events that the score includes of members that were erased.',
    }),
    blendedMultiplier: z
      .number()
      .nullable()
      .meta({
        description:
          'Mean of the multipliers over all events that the published score includes, those of erased members, too, each with ' +
          'the tier at its report. Four decimals; null without events.',
      }),
  })
  .meta({
    id: 'ContributingPlatforms',
    description:
      'The platforms whose events the score includes, your own first. The tiers are current; the weight of an event depends on ' +
      'the tier of its platform at the time of the report.',
    example: {
      platforms: [
        {
          self: true,
          name: 'Riverside Staffing',
          trustTier: 'GROWTH',
          trustMultiplier: 0.85,
          eventCount: 18,
          verifiedEventCount: 15,
          firstEventAt: '2025-09-14T08:30:00.000Z',
          lastEventAt: '2026-03-01T15:45:02.118Z',
        },
        {
          self: false,
          name: null,
          trustTier: 'STARTER',
          trustMultiplier: 0.7,
          eventCount: 5,
          verifiedEventCount: 4,
          firstEventAt: '2025-11-02T10:00:12.400Z',
          lastEventAt: '2026-01-20T17:21:40.901Z',
        },
      ],
      erasedEvents: 0,
      blendedMultiplier: 0.8174,
    },
  });
