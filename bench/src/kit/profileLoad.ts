import type { Bench } from './bench.js';
import { profileClockUs, readProfiles, type TimeSpent } from './cpuProfile.js';
import { giveEverybodyAScore, scorePaths } from './fill.js';
import { batchBodies, eventBodies } from './load.js';
import { scratchFolder } from './scratch.js';
import { type Home, startService, type Worker } from './server.js';
import { getScript, type LoadResult, type LoadScript, postScript, runLoad } from './wrk.js';

/** The loads that can be profiled. */
export const profiledLoads = ['post', 'batch', 'read'] as const;
export type ProfiledLoad = (typeof profiledLoads)[number];

interface ProfileOptions {
  load: ProfiledLoad;
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
  if (options.load === 'read' && options.worker === 'none')
    throw new Error('The load "read" needs scores, so it needs a worker');
  const home: Home = options.engine === 'pglite' ? bench.embedded() : await bench.postgres();
  const folder = scratchFolder('profile');
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
  const service = await startService(home, { worker: options.worker, nodeFlags });
  try {
    const { connections, seconds } = options;
    const script = await scriptOf(options.load, service.url);
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

async function scriptOf(load: ProfiledLoad, url: string): Promise<LoadScript> {
  switch (load) {
    case 'post':
      return postScript('/api/v1/events', eventBodies(50_000));
    case 'batch':
      return postScript('/api/v1/events/batch', batchBodies(300, 100));
    case 'read':
      await giveEverybodyAScore(url);
      return getScript(scorePaths());
  }
}
