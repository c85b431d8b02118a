import pg from 'pg';
import { readOutcomeEvent } from '../../../packages/service/src/domain/readOutcomeEvent.js';
import { createIdSource } from '../../../packages/service/src/kit/ids.js';
import { subjectIdOf } from '../../../packages/service/src/ledger/subjectId.js';
import { eventBodies } from '../kit/load.js';
import { inFlight } from './inFlight.js';

// Inserts the same rows into a table with the same columns but no key, index or trigger: 100 rows per statement, one transaction
// per statement, one connection. Arguments: database that the service has prepared, seconds, and `prepared` to plan the statement
// only once.
const [connectionString, seconds, planning] = process.argv.slice(2);
const ROWS = 100;
const COLUMNS = [
  'subject_id',
  'event_id',
  'platform_id',
  'livemode',
  'position',
  'event_type',
  'stake_level',
  'is_verified',
  'platform_tier',
  'transaction_value',
  'due_date',
  'completed_at',
  'metadata',
  'created_at',
];

const client = new pg.Client({ connectionString });
await client.connect();
await client.query(
  'create table if not exists plain (like event including defaults, transaction_value numeric, metadata json)',
);

const batches = preparedBatches(100);
const text = insertText();
let next = 0;
const result = await inFlight({ flights: 1, seconds: Number(seconds) }, async () => {
  const values = batches[next++ % batches.length];
  await client.query(planning === 'prepared' ? { name: 'insert', text, values } : { text, values });
});
const { rows } = await client.query<{ count: number }>('select count(*)::integer as count from plain');
console.log(JSON.stringify({ ...result, count: result.count * ROWS, stored: rows[0]?.count }));
await client.end();

function insertText(): string {
  const row = (index: number) =>
    `(${COLUMNS.map((_, column) => `$${index * COLUMNS.length + column + 1}`).join(', ')})`;
  return `insert into plain (${COLUMNS.join(', ')}) values ${Array.from({ length: ROWS }, (_, index) => row(index)).join(', ')}`;
}

// Values are built before the clock starts: only the insert is measured.
function preparedBatches(count: number): unknown[][] {
  const rows = eventBodies(count * ROWS).map(rowOf);
  return Array.from({ length: count }, (_, index) => rows.slice(index * ROWS, (index + 1) * ROWS).flat());
}

function rowOf(body: unknown): unknown[] {
  const now = new Date();
  const platformId = '01900000-0000-7000-8000-000000000000';
  const read = readOutcomeEvent(body, { livemode: true, now });
  if ('refusal' in read) throw read.refusal;
  const { externalId, eventType, stakeLevel, isVerified, transactionValue, dueDate, completedAt, metadata } =
    read.event;
  const eventId = createIdSource().at(now);
  const subjectId = subjectIdOf(platformId, true, externalId);
  return [
    subjectId,
    eventId,
    platformId,
    true,
    1,
    eventType,
    stakeLevel,
    isVerified,
    'STARTER',
    transactionValue,
    dueDate,
    completedAt,
    metadata,
    now,
  ];
}
