import { z } from 'zod';
import type { Authenticator } from '../../../src/kit/http/admission.js';

/** The answer of operations that tests make up. */
export const Answered = z
  .object({ answered: z.boolean() })
  .meta({ id: 'TestAnswered', example: { answered: true } });

/** Lets everybody in, as nobody in particular. */
export const openToAll: Authenticator = { identify: () => ({ kind: 'public' }), authorize: () => undefined };
