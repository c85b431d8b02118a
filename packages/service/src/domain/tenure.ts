import { z } from 'zod';
import { instant } from './scoreFields.js';
import { DAY_MS } from './timestamp.js';

/** The age of an identity, beside every public score: a new one is cheap (RULES R15). */
export const tenureFields = {
  registeredAt: instant.meta({ description: 'When the record was first reported on. Nobody can choose it.' }),
  tenureDays: z.int().min(0),
};

/** Whole days; 0 if the clock of another process was ahead. */
export function tenureDaysOf(registeredAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - registeredAt.getTime()) / DAY_MS));
}
