import { factorNames, platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { EVENT_EXAMPLE, EventRecordSchema } from '../../../domain/eventRecord.js';
import { HISTORY_ENTRY_EXAMPLE, HistoryEntry, scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, pageLimit } from '../../../kit/http/query.js';

const userId = z.string().meta({ description: "The caller's own id of the subject, as asked." });

export const DispatchQuery = z.object({
  context: z
    .enum(['dispatch'])
    .default('dispatch')
    .meta({ description: 'What the read is for. There is one value so far.' }),
});

export const Dispatch = z
  .object({
    userId,
    finalScore: scoreFields.finalScore.nullable(),
    scoreBand: scoreFields.scoreBand.nullable(),
    confidence: scoreFields.confidence.nullable(),
    frozen: z.boolean().meta({
      description: 'True while unusual volume is under review: the ledger grows, the figures stand still.',
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
          'Share of breaches among the outcomes that count, four decimals. Cancelled ones count neither way; a contested one is ' +
          'an outcome, but no breach while it is unresolved.',
      }),
    onTime: z.number().min(0).max(100).nullable().meta({
      description: 'The component `timeliness`; null when no outcome has both dates.',
    }),
    daysSinceLastEvent: z.int().min(0).nullable().meta({
      description: 'Whole UTC days since the latest occurrence on the record.',
    }),
    topDrivers: z
      .array(z.object({ factor: z.enum(factorNames), contribution: z.number() }))
      .max(3)
      .meta({
        description:
          'What moved the score furthest from the starting value of 20, in points, strongest first. Empty without a score.',
      }),
  })
  .meta({
    id: 'DispatchRead',
    description: 'The least one needs to plan the next job. What is not known is null, never 0.',
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

export const TimelineQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export const Timeline = z
  .object({
    items: z.array(
      z.object({
        kind: z.enum(['event', 'score']),
        at: z.iso.datetime().meta({ description: 'When the event was recorded or the score computed.' }),
        event: EventRecordSchema.optional().meta({ description: "One of the caller's own events." }),
        score: HistoryEntry.optional().meta({ description: 'A published change of the score.' }),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'Timeline',
    description:
      'Events and changes of the score in one feed, newest first. An item holds `event` or `score`, as its `kind` says.',
    example: {
      items: [
        { kind: 'score', at: HISTORY_ENTRY_EXAMPLE.computedAt, score: HISTORY_ENTRY_EXAMPLE },
        { kind: 'event', at: EVENT_EXAMPLE.createdAt, event: EVENT_EXAMPLE },
      ],
      nextCursor: null,
    },
  });

export const Contributions = z
  .object({
    platforms: z.array(
      z.object({
        self: z.boolean().meta({ description: 'True for the platform that asks.' }),
        name: z.string().nullable().meta({ description: "The caller's own name; null for every other." }),
        trustTier: z.enum(platformTiers),
        trustMultiplier: z
          .number()
          .meta({ description: 'What the tier multiplies the weight of a report by.' }),
        eventCount: z.int().min(1).meta({ description: 'Its events that the score rests on.' }),
        verifiedEventCount: z.int().min(0),
        firstEventAt: z.iso.datetime().nullable().meta({ description: 'When its first event was recorded.' }),
        lastEventAt: z.iso.datetime().nullable().meta({ description: 'When its latest event was recorded.' }),
      }),
    ),
    blendedMultiplier: z.number().nullable().meta({
      description: 'Mean of the multipliers, weighted by `eventCount`, four decimals; null without events.',
    }),
  })
  .meta({
    id: 'ContributingPlatforms',
    description:
      'The platforms whose events the score rests on, the caller first. Tiers are those of today; an event weighs by the tier ' +
      'its platform had when it reported it.',
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
      blendedMultiplier: 0.8174,
    },
  });
