import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';
import { pointsThreshold } from '../threshold.js';

const MONITOR_EXAMPLE = {
  id: '0199a3c2-9d11-7c02-8b41-3e5f7a9b1c2d',
  userId: 'worker-4711',
  belowScore: 60,
  aboveScore: null,
  onBandChange: true,
  isActive: true,
  lastTriggeredAt: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
};

const points = z.number().min(0).max(100).nullable();

export type Monitor = z.output<typeof Monitor>;
export const Monitor = z
  .object({
    id: z.uuid(),
    userId: z.string().meta({ description: 'The subject whose score is watched.' }),
    belowScore: points.meta({
      description: 'Fires when the score falls from this value or above to below it.',
    }),
    aboveScore: points.meta({
      description: 'Fires when the score rises from this value or below to above it.',
    }),
    onBandChange: z.boolean().meta({ description: 'Fires when the band changes in either direction.' }),
    isActive: z.boolean(),
    lastTriggeredAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Monitor',
    description: 'Watches one score. Each crossing sends `monitor.triggered` once.',
    example: MONITOR_EXAMPLE,
  });

export const MonitorPage = z.object({ monitors: z.array(Monitor), nextCursor: z.string().nullable() }).meta({
  id: 'MonitorPage',
  description: 'A page of monitors, newest first.',
  example: { monitors: [MONITOR_EXAMPLE], nextCursor: null },
});

export const MonitorQuery = z.object({
  userId: externalId
    .optional()
    .meta({ description: 'Only monitors of this subject.', example: 'worker-4711' }),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

const belowScore = pointsThreshold.nullable().optional();
const aboveScore = pointsThreshold.nullable().optional();
const onBandChange = z.boolean().nullable().optional();

export const NO_CONDITION = 'needs at least one of belowScore, aboveScore and onBandChange';

export const MonitorBody = z
  .object({
    userId: externalId.meta({ description: 'A subject that you have reported on.' }),
    belowScore: belowScore.meta({
      description: 'Fires when the score falls below this value. At most two decimals.',
    }),
    aboveScore: aboveScore.meta({
      description: 'Fires when the score rises above this value. At most two decimals.',
    }),
    onBandChange: onBandChange.meta({ description: 'True: fires when the band changes. Default: false.' }),
    isActive: z.boolean().optional().meta({ description: 'Default: true.' }),
  })
  .refine(hasCondition, NO_CONDITION)
  .meta({
    id: 'NewMonitor',
    description: 'The subject to watch, and at least one condition.',
    example: { userId: 'worker-4711', belowScore: 60, onBandChange: true },
  });

export const MonitorChanges = z
  .object({
    belowScore: belowScore.meta({ description: 'null removes this condition.' }),
    aboveScore: aboveScore.meta({ description: 'null removes this condition.' }),
    onBandChange,
    isActive: z.boolean().optional().meta({ description: 'An active monitor counts against the cap.' }),
  })
  .meta({
    id: 'MonitorChanges',
    description:
      'The fields to change; fields left out stay as they are. At least one condition must remain.',
    example: { belowScore: 55, aboveScore: null },
  });

export function hasCondition(terms: {
  belowScore?: number | null | undefined;
  aboveScore?: number | null | undefined;
  onBandChange?: boolean | null | undefined;
}): boolean {
  return (
    (terms.belowScore ?? null) !== null || (terms.aboveScore ?? null) !== null || terms.onBandChange === true
  );
}

export const monitorPath = z.object({
  id: pathText('Id of the monitor.', MONITOR_EXAMPLE.id),
});
