import { hashOfSecret } from '#kit/crypto.js';
import { byteas } from '#kit/db/arrays.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
import { readsOfRecords } from '#ledger/links/recordReads.js';
import { readByToken } from './sharedRecords.js';

/**
 * Which version of a record of outcomes a share token opens: a text that is another one as soon as
 * anything about the record is. Null for a token that is unknown or withdrawn. Nothing is
 * remembered.
 */
type FindMark = (token: string) => Promise<string | null>;

export function createMarkFinder(db: Database): FindMark {
  return readByToken(db, (tokens) => findAll(db, tokens));
}

/** One query, and a second one where linked subjects are among them. */
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

/**
 * What a credential of a record follows from, in a text: each event, declaration and snapshot raises
 * its count.
 */
const MARK = '(s.event_count, s.declaration_no, c.snapshot_no)::text';

interface MarkRow {
  /** Which of the hashes asked for, from 1. */
  ordinal: number;
  /** Null for a subject that is not linked. */
  linkedRecordId: string | null;
  mark: string;
}

/**
 * The subjects that active tokens open, by their marks. Unknown and withdrawn tokens are left out.
 */
function findMarks(db: Queryable, tokenHashes: Buffer): Promise<MarkRow[]> {
  return db.query<MarkRow>(
    `select asked.ordinal::integer, nullif(s.record_id, s.subject_id) as linked_record_id, ${MARK} as mark
     from unnest($1::bytea[]) with ordinality as asked (token_hash, ordinal)
     join share_token t using (token_hash) join subject s using (subject_id) left join score c using (subject_id)
     where t.withdrawn_at is null`,
    [tokenHashes],
  );
}

/** The marks of everybody in these records. */
async function findRecordMarks(db: Queryable, recordIds: readonly string[]): Promise<Map<string, string>> {
  const reads = await readsOfRecords(db, recordIds);
  const rows = await reads.query<{ recordId: string; mark: string }>(
    `select s.record_id, string_agg(s.subject_id || ${MARK}, ' ' order by s.subject_id) as mark
     from subject s left join score c using (subject_id)
     where s.record_id = any($1::uuid[])
     group by s.record_id`,
    [recordIds],
  );
  const records = groupBy(rows, ({ recordId }) => recordId);
  return new Map(
    [...records].map(([id, parts]) => [
      id,
      parts
        .map(({ mark }) => mark)
        .sort()
        .join(' '),
    ]),
  );
}
