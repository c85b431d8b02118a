import { z } from 'zod';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';
import { pointsThreshold } from '../threshold.js';

const points = z.number().min(0).max(100).nullable();

export type Monitor = z.output<typeof Monitor>;
export const Monitor = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    belowScore: points,
    aboveScore: points,
    onBandChange: z.boolean(),
    isActive: z.boolean(),
    lastTriggeredAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Monitor' });

export const MonitorPage = z
  .object({ monitors: z.array(Monitor), nextCursor: z.string().nullable() })
  .meta({ id: 'MonitorPage' });

export const MonitorQuery = z.object({
  userId: externalId.optional(),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

const belowScore = pointsThreshold.nullable().optional();
const aboveScore = pointsThreshold.nullable().optional();
const onBandChange = z.boolean().nullable().optional();

export const NO_CONDITION = 'needs at least one of belowScore, aboveScore and onBandChange';

export const MonitorBody = z
  .object({
    userId: externalId,
    belowScore,
    aboveScore,
    onBandChange,
    isActive: z.boolean().optional(),
  })
  .refine(hasCondition, NO_CONDITION)
  .meta({ id: 'NewMonitor' });

export const MonitorChanges = z
  .object({
    belowScore,
    aboveScore,
    onBandChange,
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'MonitorChanges' });

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
  id: pathText(),
});
