import { onServer } from '../../../packages/service/test/harness/postgresCluster.js';
import { importFile } from '../imports.js';
import type { Bench } from './bench.js';
import { postEvents, settled } from './fill.js';
import type { Ledger } from './growthLedger.js';
import { IMPORT_ROWS } from './importFile.js';
import { eventBodies } from './load.js';
import { getScript, type LoadScript, postScript, runLoad } from './wrk.js';

interface GrowthLoad {
  readonly what: string;
  run(ledger: Ledger, bench: Bench, round: number): Promise<{ units: number; wallMs: number }>;
}

const CONNECTIONS = 64;
const BODIES = 50_000;
const RECOMPUTED = 5000;

export const growthLoads: readonly GrowthLoad[] = [
  // Cold in the first round: later ones find its pages in the cache.
  { what: 'event of a batch until scored, one about each subject', run: eventOfEach },
  { what: 'POST /events until scored', run: requestsOf(eventsScript) },
  { what: 'GET /users/{id}/score', run: requestsOf(scoreScript) },
  { what: 'GET /users?limit=50', run: requestsOf(() => getScript(['/api/v1/users?limit=50'])) },
  { what: 'recompute of a score', run: recompute },
  { what: 'row of an import until scored', run: importRows },
];

/** Brings what the other loads touch into the caches. */
async function eventOfEach({ server, active }: Ledger): Promise<{ units: number; wallMs: number }> {
  const bodies = eventBodies(active.length).map((body, index) => ({ ...body, userId: active[index] }));
  const startedMs = performance.now();
  await postEvents(server.url, bodies);
  await settled(server.url);
  return { units: active.length, wallMs: performance.now() - startedMs };
}

function eventsScript({ active }: Ledger): LoadScript {
  const bodies = eventBodies(BODIES).map((body, index) => ({
    ...body,
    userId: active[(index * 7919) % active.length],
  }));
  return postScript('/api/v1/events', bodies);
}

function scoreScript({ active }: Ledger): LoadScript {
  return getScript(active.map((id) => `/api/v1/users/${id}/score`));
}

function requestsOf(scriptOf: (ledger: Ledger) => LoadScript): GrowthLoad['run'] {
  const scripts = new Map<Ledger, LoadScript>();
  return async (ledger, { seconds }) => {
    const script = scripts.get(ledger) ?? scriptOf(ledger);
    scripts.set(ledger, script);
    const startedMs = performance.now();
    const { answered, refused } = await runLoad(ledger.server.url, script, {
      connections: CONNECTIONS,
      seconds,
    });
    if (refused > 0) throw new Error(`${refused} requests were refused under load`);
    await settled(ledger.server.url);
    return { units: answered, wallMs: performance.now() - startedMs };
  };
}

/** As the daily sweep queues them. */
async function recompute({ home, server, activeIds }: Ledger, _: Bench, round: number) {
  const from = (round * RECOMPUTED) % activeIds.length;
  const ids = activeIds.slice(from, from + RECOMPUTED);
  const startedMs = performance.now();
  await onServer(home.databaseUrl, (client) =>
    client.query(
      `insert into recompute_queue (record_id, reason, enqueued_at) select unnest($1::uuid[]), 'decay', now()`,
      [ids],
    ),
  );
  await settled(server.url);
  return { units: ids.length, wallMs: performance.now() - startedMs };
}

async function importRows({ server }: Ledger, _: Bench, round: number) {
  const wallMs = await importFile(server, `growth-${Date.now()}-${round}`, false);
  return { units: IMPORT_ROWS, wallMs };
}
