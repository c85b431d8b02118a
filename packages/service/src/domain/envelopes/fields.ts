import { FORMULA_VERSION, scoreBands } from '@reliability/scoring';
import { z } from 'zod';

export const points = z.number().min(0).max(100);
export const band = z.enum(scoreBands);
export const count = z.int().min(0);
export const at = z.iso.datetime();
export const id = z.uuid();
/** The platform's own id of the subject. */
export const subjectRef = z.object({ externalId: z.string() });
export const formulaVersion = z.string().meta({ description: 'Version of the scoring formula.' });
export const finalStatus = z.enum(['COMPLETED', 'FAILED']);

export const SAMPLE = {
  externalId: 'worker-4711',
  at: '2026-03-01T15:45:02.161Z',
  later: '2026-03-15T15:45:02.161Z',
  formulaVersion: FORMULA_VERSION,
  id: (last: number) => `0199a3c2-9d10-7b44-8c2e-${String(last).padStart(12, '0')}`,
};
