import { availableParallelism } from 'node:os';
import type { Bench } from './kit/bench.js';
import { type Contender, contest, resultOf } from './kit/contest.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { giveEverybodyAScore, scorePaths } from './kit/fill.js';
import { eventBodies } from './kit/load.js';
import { type Server, startService } from './kit/server.js';
import { type Arrangement, watchServices } from './kit/watched.js';
import { getScript, postScript, runLoad } from './kit/wrk.js';

const CONNECTIONS = 64;
/** PROCESSES of the contenders. Those beyond the cores of this machine are left out, except 2. */
const COUNTS = [1, 2, 4, 8, 16];
const cores = availableParallelism();
const counts = COUNTS.filter((count) => count <= Math.max(2, cores));
/** One thread of the load generator saturates about four processes. */
const threads = Math.max(1, Math.ceil(cores / 4));

/** Writes and reads by 1, 2, 4 … processes (PROCESSES), compared with one. */
export const processes: Figure = { name: 'processes', measure };

async function measure(bench: Bench): Promise<Line[]> {
  return [...(await writes(bench)), ...(await reads(bench))];
}

async function writes(bench: Bench): Promise<Line[]> {
  const script = postScript('/api/v1/events', eventBodies(50_000));
  const load = { script, connections: CONNECTIONS, eventsPerRequest: 1, threads };
  const costs = counts.map(() => new Samples());
  const arrangements = counts.map((count, index) => arrangementOf(count, costs[index] as Samples));
  const services = await watchServices(bench, load, arrangements);
  const results = await contest(bench, services.contenders);
  await services.finish();
  return [...linesOf('POST /events', results), ...costLines(costs)];
}

function arrangementOf(count: number, costs: Samples): Arrangement {
  const setting = `PostgreSQL, ROLE=all, PROCESSES=${count}`;
  return { name: nameOf(count), setting, engine: 'postgresql', worker: 'inside', processes: count, costs };
}

function costLines([ofOne, ...ofSeveral]: readonly Samples[]): Line[] {
  if (!ofOne) return [];
  return ofSeveral.map((cost, index) => ({
    what: 'POST /events: processor time of an event until it is scored and logged',
    setting: settingOf(counts[index + 1] ?? 0),
    value: cost.microseconds(),
    baseline: ofOne.microseconds('1 process'),
    measure: cost.median / ofOne.median,
    unit: 'ratio',
    target: null,
  }));
}

function settingOf(count: number): string {
  return `${nameOf(count)} on ${cores} cores`;
}

async function reads(bench: Bench): Promise<Line[]> {
  const home = await bench.postgres();
  const script = getScript(scorePaths());
  const servers: Server[] = [];
  for (const count of counts) servers.push(await startService(home, { env: { PROCESSES: String(count) } }));
  if (servers[0]) await giveEverybodyAScore(servers[0].url);
  const contenders = servers.map((server, index): Contender => {
    const name = nameOf(counts[index] ?? 0);
    return {
      name,
      async round(seconds) {
        const load = await runLoad(server.url, script, { connections: CONNECTIONS, seconds, threads });
        if (load.refused > 0) throw new Error(`${name}: ${load.refused} reads were refused`);
        return load.perSecond;
      },
    };
  });
  const results = await contest(bench, contenders);
  for (const server of servers) await server.stop();
  return linesOf('GET /users/{id}/score', results);
}

function nameOf(count: number): string {
  return count === 1 ? '1 process' : `${count} processes`;
}

function linesOf(what: string, results: Awaited<ReturnType<typeof contest>>): Line[] {
  const one = resultOf(results, nameOf(1));
  return counts.slice(1).map((count) => ({
    what: `${what}, ${CONNECTIONS} connections`,
    setting: settingOf(count),
    value: resultOf(results, nameOf(count)).perSecond(),
    baseline: one.perSecond('1 process'),
    measure: resultOf(results, nameOf(count)).median / one.median,
    unit: 'ratio',
    target: count === 2 ? { min: 1 } : null,
  }));
}
