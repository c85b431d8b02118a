import { join } from 'node:path';
import { type Bench, checkpoint, type PostgresHome, vacuum } from './kit/bench.js';
import { type Figure, type Line, Samples } from './kit/figure.js';
import { caughtUp } from './kit/fill.js';
import { processorTimes } from './kit/processorTime.js';
import { type Server, startService } from './kit/server.js';
import { type LoadName, loadNames, loads, prepareLoad } from './kit/serviceLoads.js';
import { type LoadScript, runLoad } from './kit/wrk.js';

const WARM_UP_SECONDS = 3;

/**
 * Processor time of a request, in the service and in PostgreSQL. Other work on the machine disturbs it less than it does throughput,
 * so it shows whether a change pays: `--against DIR` measures an older checkout by turns.
 */
export const requestCost: Figure = { name: 'requestCost', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const builds = [await startBuild(bench, 'this build')];
  if (bench.against !== undefined) builds.push(await startBuild(bench, 'the older build', bench.against));
  const lines: Line[] = [];
  for (const name of loadNames.filter((each) => bench.loads.length === 0 || bench.loads.includes(each))) {
    const costs = await costsOf(bench, name, builds);
    lines.push(...linesOf(name, builds, costs));
  }
  for (const { server } of builds) await server.stop();
  return lines;
}

interface Build {
  readonly name: string;
  readonly home: PostgresHome;
  readonly server: Server;
}

async function startBuild(bench: Bench, name: string, checkout?: string): Promise<Build> {
  const home = await bench.postgres();
  const program = checkout === undefined ? {} : { program: join(checkout, 'packages/service/dist/main.js') };
  return { name, home, server: await startService(home, program) };
}

interface Costs {
  readonly service: Samples;
  readonly postgres: Samples;
  readonly together: Samples;
}

/** The part of the older build's cost that a request may have, against the commit named in docs/BENCHMARKS.md. */
const WANTED: Partial<Record<LoadName, number>> = { post: 0.6, batch: 0.5, read: 0.6, book: 0.5 };

/** In microseconds for a request, of each build. */
async function costsOf(bench: Bench, name: LoadName, builds: readonly Build[]): Promise<Costs[]> {
  const scripts: LoadScript[] = [];
  for (const { server, home } of builds) {
    scripts.push(await prepareLoad(name, server.url));
    if (!loads[name].writes) await vacuum(home);
  }
  const costs = builds.map(
    (): Costs => ({
      service: new Samples(),
      postgres: new Samples(),
      together: new Samples(),
    }),
  );
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const [index, build] of builds.entries()) {
      const seconds = round === 0 ? WARM_UP_SECONDS : bench.seconds;
      const used = await costOfRound(name, build, scripts[index] as LoadScript, seconds);
      if (round === 0) continue;
      costs[index]?.service.add(used.serviceUs);
      costs[index]?.postgres.add(used.postgresUs);
      costs[index]?.together.add(used.serviceUs + used.postgresUs);
    }
  }
  builds.forEach((build, index) => {
    const { service, postgres } = costs[index] as Costs;
    bench.say(
      `  ${name}, ${build.name}: service ${service.microseconds()}, PostgreSQL ${postgres.microseconds()}`,
    );
  });
  return costs;
}

/** Until every event is scored and every fact is a signed leaf: work that a request leaves behind is part of its cost. */
async function costOfRound(
  name: LoadName,
  { server, home }: Build,
  script: LoadScript,
  seconds: number,
): Promise<{ serviceUs: number; postgresUs: number }> {
  await checkpoint(home);
  const before = await processorTimes(server, home);
  const load = await runLoad(server.url, script, { connections: loads[name].connections, seconds });
  if (load.refused > 0) throw new Error(`${name}: ${load.refused} requests were refused under load`);
  if (loads[name].writes) await caughtUp(home);
  const after = await processorTimes(server, home);
  return {
    serviceUs: ((after.serviceMs - before.serviceMs) * 1000) / load.answered,
    postgresUs: ((after.postgresMs - before.postgresMs) * 1000) / load.answered,
  };
}

function linesOf(name: LoadName, builds: readonly Build[], costs: readonly Costs[]): Line[] {
  const [own, other] = costs;
  const wanted = WANTED[name];
  if (!own) return [];
  const parts = { service: 'the service', postgres: 'PostgreSQL', together: 'both' } as const;
  return (Object.keys(parts) as (keyof typeof parts)[]).map((part) => ({
    what: `${loads[name].title}: processor time of ${parts[part]}`,
    setting: 'PostgreSQL, ROLE=all',
    value: own[part].microseconds(),
    baseline: other ? other[part].microseconds(builds[1]?.name) : '',
    measure: other ? own[part].median / other[part].median : own[part].median / 1000,
    unit: other ? 'ratio' : 'ms',
    target: other && part === 'together' && wanted !== undefined ? { under: wanted } : null,
  }));
}
