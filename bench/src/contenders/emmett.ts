import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { eventBodies } from '../kit/load.js';
import { inFlight } from './inFlight.js';

// Appends to Emmett's event store as fast as it takes them, no web server between; a stream is a subject.
// Arguments: database, seconds, appends in flight. Prints how many were done, and in how many seconds.
const [connectionString = '', seconds, flights] = process.argv.slice(2);

const pool = new pg.Pool({ connectionString, max: 10 });
const store = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } });
await store.schema.migrate();

// Each lane has subjects of its own: two appends to one stream at once would conflict, and conflicts are not what is measured.
const bodies = eventBodies(50_000);
const laneBodies = Array.from({ length: Number(flights) }, (_, window) =>
  bodies.filter((body) => Number(String(body.userId).split('-')[1]) % Number(flights) === window),
);
const sent = laneBodies.map(() => 0);
const limits = { flights: Number(flights), seconds: Number(seconds) };
const result = await inFlight(limits, async (window) => {
  const own = laneBodies[window] ?? [];
  const next = sent[window] ?? 0;
  sent[window] = next + 1;
  const data = { ...own[next % own.length] };
  await store.appendToStream(`subject-${String(data.userId)}`, [{ type: 'OutcomeReported', data }]);
});
console.log(JSON.stringify(result));
await store.close();
await pool.end();
