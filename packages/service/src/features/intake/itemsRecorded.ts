import { z } from 'zod';

export const Warnings = z.array(z.object({ code: z.string(), message: z.string() }));

/** The fields of what `appendItems` answers, for the API reference. */
export const itemsRecorded = {
  results: z.array(
    z.object({
      index: z.int().min(0),
      status: z.enum(['created', 'skipped', 'failed']),
      eventId: z.uuid().optional(),
      error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
      warnings: Warnings.optional(),
    }),
  ),
  createdCount: z.int().min(0),
  skippedCount: z.int().min(0),
  failedCount: z.int().min(0),
};
