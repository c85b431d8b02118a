import { type Bench, vacuum } from './bench.js';
import { profileClockUs, readProfiles, type TimeSpent } from './cpuProfile.js';
import { scratchFolder } from './scratch.js';
import { type Home, startService, type Worker } from './server.js';
import { type LoadName, loads, prepareLoad } from './serviceLoads.js';
import { type LoadResult, runLoad } from './wrk.js';

interface ProfileOptions {
  load: LoadName;
  seconds: number;
  connections: number;
  engine: 'postgresql' | 'pglite';
  worker: Worker;
}

export interface LoadProfile {
  readonly load: LoadResult;
  /** One per thread, busiest first. */
  readonly threads: readonly TimeSpent[];
}

/** Runs a load against a service with the CPU profiler on. Sampling costs some percent. */
export async function profileLoad(bench: Bench, options: ProfileOptions): Promise<LoadProfile> {
  if (!loads[options.load].writes && options.worker === 'none')
    throw new Error(`The load "${options.load}" needs scores, so it needs a worker`);
  const home: Home = options.engine === 'pglite' ? bench.embedded() : await bench.postgres();
  const folder = scratchFolder('profile');
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
  const service = await startService(home, { worker: options.worker, nodeFlags });
  try {
    const { connections, seconds } = options;
    const script = await prepareLoad(options.load, service.url);
    if (!loads[options.load].writes && 'databaseUrl' in home) await vacuum(home);
    await runLoad(service.url, script, { connections, seconds: 3 }); // warm-up: compiles the hot paths
    const fromUs = profileClockUs();
    const load = await runLoad(service.url, script, { connections, seconds });
    const toUs = profileClockUs();
    await service.stop();
    return { load, threads: readProfiles(folder, fromUs, toUs) };
  } finally {
    await service.stop();
  }
}
