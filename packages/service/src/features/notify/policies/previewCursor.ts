import { z } from 'zod';
import { sha256 } from '../../../kit/crypto.js';
import { encodeCursor, positionOf } from '../../../kit/http/cursor.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import type { PreviewBody } from './schemas.js';
import type { PreviewCounts } from './walkBook.js';

type Question = Pick<z.output<typeof PreviewBody>, 'condition' | 'userId' | 'cursor'>;

type Asker = Pick<KeyCaller, 'platformId' | 'livemode'>;

/** What one page hands on to the next. */
interface PreviewPosition {
  /** The end of the window: the moment of the first page. */
  readonly to: Date;
  /** The page is about subjects behind this external id. */
  readonly after: string;
  readonly counts: PreviewCounts | null;
}

/** Where a page begins. A cursor that is damaged, or of another condition: BAD_REQUEST. */
export function startOf(
  question: Question,
  asker: Asker,
  now: Date,
): PreviewPosition & { readonly isFirst: boolean } {
  const shape = z.tuple([
    z.literal(signOf(question, asker)),
    z.int().min(0).max(now.getTime()),
    z.string().max(255),
    z.union([z.string().max(0), z.string().regex(/^\d{1,10}(,\d{1,10}){3}$/)]),
  ]);
  const [, toMs, after, counts] = positionOf(question.cursor ?? undefined, shape) ?? [];
  if (toMs === undefined || after === undefined) return { isFirst: true, to: now, after: '', counts: null };
  return { isFirst: false, to: new Date(toMs), after, counts: countsOf(counts ?? '') };
}

export function cursorOf(question: Question, asker: Asker, { to, after, counts }: PreviewPosition): string {
  const carried = counts ? [counts.scored, counts.past, counts.crossed, counts.crossings].join(',') : '';
  return encodeCursor([signOf(question, asker), to.getTime(), after, carried]);
}

function countsOf(text: string): PreviewCounts | null {
  if (text === '') return null;
  const [scored = 0, past = 0, crossed = 0, crossings = 0] = text.split(',').map(Number);
  return { scored, past, crossed, crossings };
}

/** Tells questions apart: a page of one is no page of another, nor of the same in another mode. */
function signOf({ condition, userId = null }: Question, { platformId, livemode }: Asker): string {
  return sha256(JSON.stringify([condition, userId, platformId, livemode]))
    .toString('base64url')
    .slice(0, 8);
}
