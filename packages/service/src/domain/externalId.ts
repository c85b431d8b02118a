import { z } from 'zod';

const MAX_LENGTH = 255;

/**
 * A platform's own id of a subject: 1 to 255 characters, kept as given (RULES U1). No control
 * characters, no half surrogate pairs; `.` and `..` are refused because no URL path can carry them.
 */
export const externalId = z.string().min(1).max(MAX_LENGTH, { abort: true }).refine(isUsable, {
  message: 'must not contain control characters or be "." or ".."',
});

function isUsable(text: string): boolean {
  return text !== '.' && text !== '..' && text.isWellFormed() && !CONTROL.test(text);
}

const CONTROL = /\p{Cc}/u;

export const userPath = z.object({
  id: externalId.meta({
    description: "The platform's own id of the subject, percent-encoded.",
    example: 'worker-4711',
  }),
});

/** Query parameter for the operator's use of external ids (RULES U5). */
export const platformOfSubject = z
  .uuid()
  .transform((id) => id.toLowerCase())
  .optional()
  .meta({
    description:
      'The platform whose external id is in the path. Default: the path has the id of the subject itself.',
    example: '0199a3c2-0000-7000-8000-000000000001',
  });

/** Ids that only test subjects may have: refused in live mode with RESERVED_EXTERNAL_ID. */
export function isReservedExternalId(id: string): boolean {
  return id.startsWith('test:');
}
