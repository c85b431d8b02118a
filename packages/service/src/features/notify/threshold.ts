import { z } from 'zod';

/**
 * A threshold on a score or a component. Both are published in hundredths, so a finer threshold has
 * no effect.
 */
export const pointsThreshold = z
  .number()
  .min(0)
  .max(100)
  .refine((points) => Math.round(points * 100) / 100 === points, 'must have no more than two decimals');
