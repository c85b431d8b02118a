import { serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import { byteas } from '../../../kit/db/arrays.js';
import type { Database } from '../../../kit/db/database.js';
import { findMarks, findRecordMarks } from './sharedMarkStore.js';
import { isShareToken, sharedReadsLimits } from './sharedRecords.js';

/**
 * Which version of a record of outcomes a share token opens: a text that is another one as soon as
 * anything about the record is. Null for a token that is unknown or withdrawn. Nothing is
 * remembered.
 */
export type FindMark = (token: string) => Promise<string | null>;

/**
 * Reads that arrive together share one query, and a second one where linked subjects are among
 * them.
 */
export function createMarkFinder(db: Database): FindMark {
  const reads = createBatcher<string, string | null>({
    run: (tokens) => findAll(db, tokens),
    refuse: () => serviceError('OVERLOADED'),
    ...sharedReadsLimits(db),
  });
  return (token) => (isShareToken(token) ? reads.submit(token) : Promise.resolve(null));
}

async function findAll(db: Database, tokens: readonly string[]): Promise<(string | null)[]> {
  const rows = await findMarks(db, byteas(tokens, hashOfSecret));
  const linked = rows.flatMap((row) => row.linkedRecordId ?? []);
  const records = linked.length === 0 ? null : await findRecordMarks(db, [...new Set(linked)]);
  const marks: (string | null)[] = tokens.map(() => null);
  for (const { ordinal, linkedRecordId: recordId, mark } of rows) {
    marks[ordinal - 1] = recordId === null ? mark : `${mark} ${recordId} ${records?.get(recordId)}`;
  }
  return marks;
}
