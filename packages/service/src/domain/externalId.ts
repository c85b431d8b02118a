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

export function isReservedExternalId(id: string): boolean {
  return id.startsWith('test:');
}

/**
 * Finds the external id of one subject in other texts. Case and surrounding white space are ignored.
 * A whole text always counts. Inside a longer text only an id of at least five characters counts,
 * and only where no letter or digit adjoins it: `7` must not delete every text with a seven.
 */
export interface Mentions {
  /** For free text: `-` and `_` end an id, as in `call-anna-77`. */
  isInText(text: string): boolean;
  /** For references, which are ids themselves: `anna-77` is not in `anna-77-b`. */
  isInReference(text: string): boolean;
  /** A string counts as `kind` says; members that hold ids, as `counterpartyRef`, are references. */
  isInJson(value: unknown, kind?: 'text' | 'reference'): boolean;
  /** What a search for candidates looks for; null: the id counts only as a whole. */
  readonly part: string | null;
  readonly whole: string;
}

const MIN_PART_LENGTH = 5;
const ID_MEMBERS = new Set(['userId', 'userIds', 'externalId', 'counterpartyRef', 'verifiedBy']);
const OF_TEXT = /[\p{L}\p{N}]/u;
const OF_REFERENCE = /[\p{L}\p{N}_.@-]/u;

export function mentionsOf(externalId: string): Mentions {
  const whole = externalId.trim();
  const id = whole.toLowerCase();
  const isLong = [...id].length >= MIN_PART_LENGTH;

  function isIn(text: string, adjoining: RegExp): boolean {
    const folded = text.toLowerCase();
    if (folded.trim() === id) return true;
    if (!isLong) return false;
    for (let at = folded.indexOf(id); at >= 0; at = folded.indexOf(id, at + 1)) {
      const before = lastCharacter(folded, at);
      const after = folded.codePointAt(at + id.length);
      if (!adjoining.test(before) && !(after && adjoining.test(String.fromCodePoint(after)))) return true;
    }
    return false;
  }

  function isInJson(value: unknown, kind: 'text' | 'reference' = 'reference'): boolean {
    if (typeof value === 'string') return isIn(value, kind === 'text' ? OF_TEXT : OF_REFERENCE);
    if (typeof value === 'number') return isLong && String(value) === id;
    if (Array.isArray(value)) return value.some((item) => isInJson(item, kind));
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(
      ([name, member]) =>
        isIn(name, OF_REFERENCE) || isInJson(member, ID_MEMBERS.has(name) ? 'reference' : kind),
    );
  }

  return {
    isInText: (text) => isIn(text, OF_TEXT),
    isInReference: (text) => isIn(text, OF_REFERENCE),
    isInJson,
    part: isLong ? whole : null,
    whole,
  };
}

function lastCharacter(text: string, at: number): string {
  const unit = text.slice(Math.max(at - 1, 0), at);
  return /[\uDC00-\uDFFF]/.test(unit) ? text.slice(Math.max(at - 2, 0), at) : unit;
}
