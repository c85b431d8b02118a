import pg from 'pg';
import { createIdSource } from '../../../packages/service/src/kit/ids.js';
import { subjectIdOf } from '../../../packages/service/src/ledger/subjectId.js';
import { type HistoryRow, historyRows } from '../kit/importFile.js';

// The rows of an import, inserted in the plainest way: into a table with the columns and indexes of `event` and the texts, 1000
// rows per statement, one transaction per statement, one connection. Arguments: database that the service has prepared, name of
// the batch.
const [connectionString, batch = ''] = process.argv.slice(2);
const ROWS = 1000;
const PLATFORM_ID = '01900000-0000-7000-8000-000000000000';

const client = new pg.Client({ connectionString });
await client.connect();
await client.query(
  `create table if not exists plain_event (like event including defaults including indexes, transaction_value numeric, metadata json)`,
);

const statement = `insert into plain_event
  (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified, platform_tier,
   transaction_value, due_date, completed_at, metadata, imported, created_at)
  select subject_id, event_id, '${PLATFORM_ID}'::uuid, true, 1, event_type, stake_level, is_verified, 'STARTER',
   transaction_value, due_date, completed_at, metadata, true, $10::timestamptz
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::numeric[], $7::timestamptz[],
   $8::timestamptz[], $9::json[])
   as incoming (subject_id, event_id, event_type, stake_level, is_verified, transaction_value, due_date, completed_at, metadata)`;

// Values are built before the clock starts: only the insert is measured.
const rows = historyRows(batch);
const now = new Date();
const ids = createIdSource();
const chunks = Array.from({ length: rows.length / ROWS }, (_, index) =>
  columnsOf(rows.slice(index * ROWS, (index + 1) * ROWS)),
);
const startedAt = performance.now();
for (const values of chunks) await client.query({ name: 'insert', text: statement, values });
console.log(JSON.stringify({ ms: performance.now() - startedAt }));
await client.end();

function columnsOf(chunk: readonly HistoryRow[]): unknown[] {
  return [
    chunk.map(({ userId }) => subjectIdOf(PLATFORM_ID, true, userId)),
    chunk.map(() => ids.at(now)),
    chunk.map(({ eventType }) => eventType),
    chunk.map(({ stakeLevel }) => stakeLevel),
    chunk.map(({ isVerified }) => isVerified),
    chunk.map(({ transactionValue }) => (transactionValue === '' ? null : transactionValue)),
    chunk.map(({ dueDate }) => (dueDate === '' ? null : dueDate)),
    chunk.map(({ completedAt }) => completedAt),
    chunk.map(({ orderId, verifiedBy }) => JSON.stringify({ orderId, verifiedBy, autoImported: true })),
    now,
  ];
}
