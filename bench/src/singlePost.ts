import { type Bench, checkpoint } from './kit/bench.js';
import { type Contender, contest, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { eventBodies } from './kit/load.js';
import { startProgram } from './kit/scratch.js';
import { startContender, startService } from './kit/server.js';
import { watchWrites } from './kit/watched.js';
import { postScript, runLoad } from './kit/wrk.js';

const CONNECTIONS = 64;
const WHAT = `POST /events, ${CONNECTIONS} connections`;

/** Single writes against a bare server, a straightforward one, and an event store for Node. */
export const singlePost: Figure = { name: 'singlePost', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const script = postScript('/api/v1/events', eventBodies(50_000));
  const common = { script, connections: CONNECTIONS, eventsPerRequest: 1 };
  const all = await watchWrites(bench, {
    ...common,
    name: 'service',
    home: await bench.postgres(),
    arrangement: 'all',
  });
  const apart = await watchWrites(bench, {
    ...common,
    name: 'service, worker apart',
    home: await bench.postgres(),
    arrangement: 'apart',
  });
  const embedded = bench.embedded();
  const pglite = await watchWrites(bench, {
    ...common,
    name: 'service on PGlite',
    home: embedded,
    arrangement: 'all',
  });
  const bare = await bareServer(script);
  const straightforward = await straightforwardServer(bench, script);
  const emmett = await emmettStore(bench);
  const results = await contest(bench, [
    bare.contender,
    all.contender,
    straightforward.contender,
    emmett,
    apart.contender,
    pglite.contender,
  ]);
  for (const server of [bare, straightforward]) await server.stop();
  for (const service of [all, apart, pglite]) await service.finish();
  embedded.drop();

  const line = (setting: string, own: string, other: string, least: number | null): Line => ({
    what: WHAT,
    setting,
    value: resultOf(results, own).perSecond(),
    against: resultOf(results, other).perSecond(other),
    measure: resultOf(results, own).median / resultOf(results, other).median,
    unit: 'ratio',
    target: least === null ? null : { least },
    profile: 'post',
  });
  return [
    line('PostgreSQL, ROLE=all', 'service', 'bare server', 0.45),
    line('PostgreSQL, ROLE=all', 'service', 'straightforward server', 4.5),
    line('PostgreSQL, ROLE=all', 'service', 'Emmett', 3),
    line('PostgreSQL, api and worker', 'service, worker apart', 'bare server', null),
    line('PostgreSQL, api and worker', 'service, worker apart', 'straightforward server', null),
    line('PostgreSQL, api and worker', 'service, worker apart', 'Emmett', null),
    line('PGlite', 'service on PGlite', 'bare server', null),
  ];
}

interface OtherServer {
  contender: Contender;
  stop(): Promise<void>;
}

async function bareServer(script: { file: string }): Promise<OtherServer> {
  const server = await startContender('bare.ts');
  return {
    contender: { name: 'bare server', round: (seconds) => perSecond(server.url, script, seconds) },
    stop: server.stop,
  };
}

async function straightforwardServer(bench: Bench, script: { file: string }): Promise<OtherServer> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // brings the tables and the key
  const server = await startContender('straightforward.ts', [home.databaseUrl]);
  return {
    contender: {
      name: 'straightforward server',
      round: (seconds) => perSecond(server.url, script, seconds),
      rest: () => checkpoint(home),
    },
    stop: server.stop,
  };
}

async function perSecond(url: string, script: { file: string }, seconds: number): Promise<number> {
  const load = await runLoad(url, script, { connections: CONNECTIONS, seconds });
  if (load.refused > 0) throw new Error(`${load.refused} requests were refused under load`);
  return load.perSecond;
}

async function emmettStore(bench: Bench): Promise<Contender> {
  const home = await bench.postgres();
  return {
    name: 'Emmett',
    async round(seconds) {
      const args = [home.databaseUrl, String(seconds), String(CONNECTIONS)];
      const done = JSON.parse(await startProgram('contenders/emmett.ts', args).output());
      return done.count / done.seconds;
    },
    rest: () => checkpoint(home),
  };
}
