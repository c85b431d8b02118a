import { type Bench, vacuum } from './kit/bench.js';
import { type Contender, contest, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { giveEverybodyAScore, scorePaths } from './kit/fill.js';
import { type Home, LIVE_KEY, type Server, startOtherServer, startService } from './kit/server.js';
import { BOOK_PATH, type LoadName, loads, prepareLoad } from './kit/serviceLoads.js';
import { getScript, type LoadScript, runLoad } from './kit/wrk.js';

const CONNECTIONS = 64;

/** Reads of a score, compared with a server that looks nothing up. */
export const readScore: Figure = { name: 'readScore', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const script = getScript(scorePaths());
  const home = await bench.postgres();
  const service = await readableService(home);
  const embedded = bench.embedded();
  const pglite = await readableService(embedded);
  const bare = await startOtherServer('bare', [await pageOf(service)]);
  // Reads the same rows with two pooled queries, one for the key and one for the score.
  const straightforward = await startOtherServer('straightforward', [home.databaseUrl]);
  const others: Contender[] = [];
  for (const name of OTHER_READS) others.push(reader(name, service, await prepareLoad(name, service.url)));
  await vacuum(home);
  const results = await contest(bench, [
    { ...reader('bare server', bare, script), isYardstick: true },
    reader(SAME_PAGE, bare, getScript([BOOK_PATH])),
    reader('service', service, script),
    ...others,
    reader('straightforward server', straightforward, script),
    reader('service on PGlite', pglite, script),
  ]);
  for (const server of [bare, straightforward, service, pglite]) await server.stop();
  embedded.drop();

  const line = (read: LoadName, setting: string, own: string, yardstick = 'bare server'): Line => ({
    what: `${loads[read].title}, ${CONNECTIONS} connections`,
    setting,
    value: resultOf(results, own).perSecond(),
    baseline: resultOf(results, yardstick).perSecond(yardstick),
    measure: resultOf(results, own).median / resultOf(results, yardstick).median,
    unit: 'ratio',
    target: null, // the cost of a read has one, in requestCost
    profile: read,
  });
  return [
    line('read', 'PostgreSQL', 'service'),
    ...OTHER_READS.map((name) => line(name, 'PostgreSQL', name)),
    line('book', 'PostgreSQL', 'book', SAME_PAGE),
    line('read', 'PostgreSQL, straightforward server', 'straightforward server'),
    line('read', 'PGlite', 'service on PGlite'),
  ];
}

const SAME_PAGE = 'bare server with the same page';

/** Heavier reads, against the same bare server. */
const OTHER_READS = ['explain', 'history', 'book'] as const satisfies readonly LoadName[];

/** A first page of the book, as the service answers it. */
async function pageOf({ url }: Server): Promise<string> {
  const answer = await fetch(url + BOOK_PATH, {
    headers: { authorization: `Bearer ${LIVE_KEY}` },
  });
  if (!answer.ok) throw new Error(`the page was refused: ${answer.status}`);
  return answer.text();
}

async function readableService(home: Home): Promise<Server> {
  const service = await startService(home);
  await giveEverybodyAScore(service.url);
  return service;
}

/** A contender that reads scores with all connections busy. */
export function reader(name: string, server: Server, script: LoadScript): Contender {
  return {
    name,
    async round(seconds) {
      const load = await runLoad(server.url, script, { connections: CONNECTIONS, seconds });
      if (load.refused > 0) throw new Error(`${name}: ${load.refused} reads were refused`);
      return load.perSecond;
    },
  };
}
