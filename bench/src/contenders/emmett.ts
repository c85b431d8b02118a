import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { eventBodies } from '../kit/load.js';
import { inFlight } from './inFlight.js';

// Appends to Emmett's event store as fast as possible, without a web server. Each subject is a stream.
// Arguments: database, seconds, appends in flight. Prints the number of appends and the seconds.
const [connectionString = '', seconds, flights] = process.argv.slice(2);

const pool = new pg.Pool({ connectionString, max: 10 });
const store = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } });
await store.schema.migrate();

// Each slot has its own subjects: concurrent appends to one stream would conflict, and conflicts are not measured here.
const bodies = eventBodies(50_000);
const bodiesOf = Array.from({ length: Number(flights) }, (_, slot) =>
  bodies.filter((body) => Number(String(body.userId).split('-')[1]) % Number(flights) === slot),
);
const sent = bodiesOf.map(() => 0);
const limits = { flights: Number(flights), seconds: Number(seconds) };
const result = await inFlight(limits, async (slot) => {
  const own = bodiesOf[slot] ?? [];
  const next = sent[slot] ?? 0;
  sent[slot] = next + 1;
  const data = { ...own[next % own.length] };
  await store.appendToStream(`subject-${String(data.userId)}`, [{ type: 'OutcomeReported', data }]);
});
console.log(JSON.stringify(result));
await store.close();
await pool.end();
