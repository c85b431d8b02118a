import type pg from 'pg';
import { onServer } from '../../../../packages/service/test/harness/postgresCluster.js';

/**
 * Copies a seeded book inside the server: every subject `times` - 1 times, under names and ids of its own. The ledger still audits
 * clean. Copies have no display names, and the search finds them only where it compares all rows. The tables share nothing but the names, so each has a connection.
 */
export async function multiplyBook(databaseUrl: string, times: number): Promise<void> {
  await onServer(databaseUrl, async (client) => {
    await client.query(
      `create unlogged table book_copy as
       select subject_id as source_id, copy, external_id,
         (substr(hex, 1, 12) || '8' || substr(hex, 14, 3) || substr('89ab', 1 + (('x0' || substr(hex, 17, 1))::bit(8)::integer & 3), 1)
           || substr(hex, 18, 15))::uuid as subject_id
       from (
         select subject_id, copy, external_id || '.' || copy as external_id,
           encode(sha256(convert_to(format('7:subject36:%s4:live%s:%s', platform_id,
             octet_length(external_id || '.' || copy), external_id || '.' || copy), 'UTF8')), 'hex') as hex
         from subject cross join generate_series(1, $1::integer - 1) as copy
       ) named`,
      [times],
    );
    await client.query('analyze book_copy');
  });
  await Promise.all(
    Object.entries(COPIED).map(([table, changed]) =>
      onServer(databaseUrl, (client) => multiplyTable(client, table, changed)),
    ),
  );
  await onServer(databaseUrl, (client) => client.query('drop table book_copy'));
}

const EVENT_ID = `overlay(source.event_id::text placing lpad(to_hex(copy.copy), 4, '0') from 33)::uuid`;

/** By table: the columns that differ from the row that is copied. */
const COPIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  subject: {
    record_id: 'copy.subject_id',
    external_id: 'copy.external_id',
    display_name: 'null',
    named_at: 'null',
  },
  event: { event_id: EVENT_ID },
  event_text: { event_id: EVENT_ID },
  tally: {},
  score: {
    record_id: 'copy.subject_id',
    external_id: 'copy.external_id',
    display_name: 'null',
    search_text: 'upper(copy.external_id)',
  },
  score_snapshot: { positions: 'json_build_object(copy.subject_id, source.total_events)' },
};

async function multiplyTable(
  client: pg.Client,
  table: string,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) =>
    name === 'subject_id' ? 'copy.subject_id' : (changed[name] ?? `source.${name}`),
  );
  await client.query(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
     from ${table} source join book_copy copy on copy.source_id = source.subject_id`,
  );
}
