import { z } from 'zod';

/** The answer of operations that tests make up. */
export const Answered = z
  .object({ answered: z.boolean() })
  .meta({ id: 'TestAnswered', example: { answered: true } });
