import { factorNames, platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { EventRecordSchema } from '../../../domain/outcomeEvent.js';
import { HistoryEntry, scoreFields } from '../../../domain/scoreFields.js';
import { cursorParam, instant, pageLimit } from '../../../kit/http/query.js';

const userId = z.string();

export const DispatchQuery = z.object({
  context: z.enum(['dispatch']).default('dispatch'),
});

export type Dispatch = z.output<typeof Dispatch>;
export const Dispatch = z
  .object({
    userId,
    finalScore: scoreFields.finalScore.nullable(),
    scoreBand: scoreFields.scoreBand.nullable(),
    confidence: scoreFields.confidence.nullable(),
    frozen: z.boolean(),
    verifiedEvents: scoreFields.verifiedEvents.nullable(),
    totalEvents: scoreFields.totalEvents.nullable(),
    noShowRate: z.number().min(0).max(1).nullable(),
    onTime: z.number().min(0).max(100).nullable(),
    daysSinceLastEvent: z.int().min(0).nullable(),
    topDrivers: z.array(z.object({ factor: z.enum(factorNames), contribution: z.number() })).max(3),
  })
  .meta({ id: 'DispatchRead' });

export type TimelineQuery = z.output<typeof TimelineQuery>;
export const TimelineQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export type Timeline = z.output<typeof Timeline>;
export const Timeline = z
  .object({
    items: z.array(
      z.object({
        kind: z.enum(['event', 'score']),
        at: instant,
        event: EventRecordSchema.optional(),
        score: HistoryEntry.optional(),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Timeline' });

export type Contributions = z.output<typeof Contributions>;
export const Contributions = z
  .object({
    platforms: z.array(
      z.object({
        self: z.boolean(),
        name: z.string().nullable(),
        trustTier: z.enum(platformTiers),
        trustMultiplier: z.number(),
        eventCount: z.int().min(1),
        verifiedEventCount: z.int().min(0),
        firstEventAt: instant.nullable(),
        lastEventAt: instant.nullable(),
      }),
    ),
    erasedEvents: z.int().min(0),
    blendedMultiplier: z.number().nullable(),
  })
  .meta({ id: 'ContributingPlatforms' });
