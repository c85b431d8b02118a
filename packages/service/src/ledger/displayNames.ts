import { gramsOf, type Searchable, searchTextOf } from '#domain/searchText.js';
import { DAY_MS } from '#domain/timestamp.js';
import type { Database, Tx } from '#kit/db/database.js';
import { rowsOf, sql } from '#kit/db/rows.js';
import { findNaming, type TextSource } from './erasure/namingTexts.js';
import { lockRecordOf } from './links/lockRecord.js';
import { inSlices, type Sweep } from './sweep.js';

interface Found extends Searchable {
  subjectId: string;
}

const searchColumns = rowsOf<Found>(
  { uuid: ['subjectId'] },
  { searchText: ['text', searchTextOf], grams: ['text', gramsOf] },
);

/** Lets a search find these subjects. Nobody else may write them meanwhile: they are new, or their records are locked. */
export async function indexForSearch(tx: Tx, subjects: readonly Found[]): Promise<void> {
  if (subjects.length === 0) return;
  await sql`insert into subject_search (subject_id, search_text, grams)
    select subject_id, search_text, grams::tsvector from ${searchColumns.as('found', subjects)}
    on conflict (subject_id) do update set search_text = excluded.search_text, grams = excluded.grams
      where subject_search.search_text <> excluded.search_text`.execute(tx);
}

export interface NamedSubject extends Found {
  subjectType: 'PERSON' | 'AGENT' | 'ORGANIZATION';
  registeredAt: Date;
}

/**
 * Sets or removes a name. Its copies in the score and in the search change with it: the lock of the
 * record keeps a recompute from writing the former name again. Null: there is no such subject.
 */
export async function setDisplayName(
  tx: Tx,
  subjectId: string,
  name: { displayName: string; namedAt: Date } | null,
): Promise<NamedSubject | null> {
  await lockRecordOf(tx, subjectId);
  const [subject] = await tx.query<NamedSubject>(
    `update subject set display_name = $2, named_at = $3 where subject_id = $1 and external_id is not null
     returning subject_id, platform_id, livemode, external_id, display_name, subject_type, registered_at`,
    [subjectId, name?.displayName ?? null, name?.namedAt ?? null],
  );
  if (!subject) return null;
  const copies = [subjectId, subject.displayName, searchTextOf(subject)];
  await tx.execute('update score set display_name = $2, search_text = $3 where subject_id = $1', copies);
  await indexForSearch(tx, [subject]);
  return subject;
}

/** Removes the names of other subjects that name an erased one. */
export async function removeNaming(tx: Tx, { platformId, livemode, externalId }: TextSource): Promise<void> {
  const search = {
    from: 'subject',
    keys: 'subject_id, record_id',
    columns: { display_name: 'text' },
    where: 'platform_id = $1 and livemode = $2 and named_at is not null',
    values: [platformId, livemode],
  } as const;
  await removeNames(tx, await findNaming<Place>(tx, search, externalId));
}

/** Removes names that were given so many days ago. */
export function removeOldNames(db: Database, days: number): Sweep {
  return (now, until) =>
    inSlices(db, 'names', until, async (tx) => {
      const old = await tx.query<Place>(
        'select subject_id, record_id from subject where named_at < $1 order by named_at limit $2',
        [new Date(now.getTime() - days * DAY_MS), SLICE_NAMES],
      );
      await removeNames(tx, old);
      return { affected: old.length, isLast: old.length < SLICE_NAMES };
    });
}

/** Each locks a record. */
const SLICE_NAMES = 100;

interface Place {
  subjectId: string;
  recordId: string;
}

/** In the order in which links lock records (lockRecord.ts). */
async function removeNames(tx: Tx, places: readonly Place[]): Promise<void> {
  const sorted = places.toSorted((a, b) => (a.recordId < b.recordId ? -1 : 1));
  for (const { subjectId } of sorted) await setDisplayName(tx, subjectId, null);
}
