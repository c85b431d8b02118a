import { type Bench, checkpoint } from './kit/bench.js';
import { startContender } from './kit/contenders.js';
import { type Contender, contest, interleaved, resultOf } from './kit/contest.js';
import type { Figure, Line } from './kit/figure.js';
import { eventBodies } from './kit/load.js';
import { startOtherServer, startService } from './kit/server.js';
import { BESIDE, SERVICE, watchServices } from './kit/watched.js';
import { postScript, runLoad } from './kit/wrk.js';

const CONNECTIONS = 64;
const WHAT = `POST /events, ${CONNECTIONS} connections`;

/** Single writes, compared with a bare server, a straightforward one, and an event store for Node. */
export const singlePost: Figure = { name: 'singlePost', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const script = postScript('/api/v1/events', eventBodies(50_000));
  const services = await watchServices(bench, { script, connections: CONNECTIONS, eventsPerRequest: 1 });
  const bare = await bareServer(script);
  const straightforward = await straightforwardServer(bench, script);
  const others = [bare.contender, straightforward.contender, await emmettStore(bench)];
  const results = await contest(bench, interleaved(others, services.contenders));
  for (const server of [bare, straightforward]) await server.stop();
  await services.finish();

  const line = ({ name, setting }: typeof SERVICE, other: string, target: Line['target']): Line => ({
    what: WHAT,
    setting,
    value: resultOf(results, name).perSecond(),
    baseline: resultOf(results, other).perSecond(other),
    measure: resultOf(results, name).median / resultOf(results, other).median,
    unit: 'ratio',
    target,
    profile: 'post',
  });
  return [
    line(SERVICE, 'bare server', null), // it stores nothing
    line(SERVICE, 'straightforward server', { min: 7 }),
    line(SERVICE, 'Emmett', { min: 3 }),
    ...BESIDE.map((arrangement) => line(arrangement, 'bare server', null)),
  ];
}

interface OtherServer {
  contender: Contender;
  stop(): Promise<void>;
}

async function bareServer(script: { file: string }): Promise<OtherServer> {
  const server = await startOtherServer('bare');
  return {
    contender: {
      name: 'bare server',
      isYardstick: true,
      round: (seconds) => perSecond(server.url, script, seconds),
    },
    stop: server.stop,
  };
}

async function straightforwardServer(bench: Bench, script: { file: string }): Promise<OtherServer> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the tables and the key
  const server = await startOtherServer('straightforward', [home.databaseUrl]);
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
      const done = JSON.parse(await startContender('emmett', args).output());
      return done.count / done.seconds;
    },
    rest: () => checkpoint(home),
  };
}
