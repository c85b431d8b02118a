import { z } from 'zod';
import { sha256 } from '../../../kit/crypto.js';
import { encodeCursor, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import type { PreviewBody } from './schemas.js';
import type { PreviewCounts } from './walkBook.js';

type Question = Pick<z.output<typeof PreviewBody>, 'condition' | 'by' | 'userId' | 'cursor'>;

/** The content of a cursor. */
interface PreviewPosition {
  /** End of the window: the time of the first page. */
  readonly to: Date;
  /** The page has subjects with a greater external id. */
  readonly after: string;
  readonly counts: PreviewCounts | null;
}

/**
 * The position of a page. Throws BAD_REQUEST for a damaged cursor and for one of another question.
 */
export function startOf(
  question: Question,
  owner: Owner,
  now: Date,
): PreviewPosition & { readonly isFirst: boolean } {
  const shape = z.tuple([
    z.literal(bindingOf(question, owner)),
    z.int().min(0).max(now.getTime()),
    z.string().max(255),
    z.union([z.string().max(0), z.string().regex(/^\d{1,10}(,\d{1,10}){3}$/)]),
  ]);
  const [, toMs, after, counts] = positionOf(question.cursor ?? undefined, shape) ?? [];
  if (toMs === undefined || after === undefined) return { isFirst: true, to: now, after: '', counts: null };
  return { isFirst: false, to: new Date(toMs), after, counts: countsOf(counts ?? '') };
}

export function cursorOf(question: Question, owner: Owner, { to, after, counts }: PreviewPosition): string {
  const carried = counts ? [counts.scored, counts.past, counts.crossed, counts.crossings].join(',') : '';
  return encodeCursor([bindingOf(question, owner), to.getTime(), after, carried]);
}

function countsOf(text: string): PreviewCounts | null {
  if (text === '') return null;
  const [scored = 0, past = 0, crossed = 0, crossings = 0] = text.split(',').map(Number);
  return { scored, past, crossed, crossings };
}

/** Binds a cursor to its question, platform and mode. */
function bindingOf({ condition, by, userId = null }: Question, { platformId, livemode }: Owner): string {
  return sha256(JSON.stringify([condition, by, userId, platformId, livemode]))
    .toString('base64url')
    .slice(0, 8);
}
