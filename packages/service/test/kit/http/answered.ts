import { z } from 'zod';
import type { Authenticator } from '#kit/http/admission.js';

/** The response schema of test operations. */
export const Answered = z
  .object({ answered: z.boolean() })
  .meta({ id: 'TestAnswered', example: { answered: true } });

/** Admits every request anonymously. */
export const openToAll: Authenticator = { identify: () => ({ kind: 'public' }), authorize: () => undefined };
