import type { Bench } from './bench.js';
import { profileClockUs, readProfiles, type TimeSpent } from './cpuProfile.js';
import { giveEverybodyAScore, scorePaths } from './fill.js';
import { batchBodies, eventBodies } from './load.js';
import { scratchFolder } from './scratch.js';
import { type Home, startService, startWorker } from './server.js';
import { getScript, type LoadResult, type LoadScript, postScript, runLoad } from './wrk.js';

/** What the server can be busy with while it is watched. */
export const profiledLoads = ['post', 'batch', 'read'] as const;
export type ProfiledLoad = (typeof profiledLoads)[number];

interface ProfileOptions {
  load: ProfiledLoad;
  seconds: number;
  connections: number;
  engine: 'postgresql' | 'pglite';
  /** `all`: recompute in the process that is watched; `api`: in another one. */
  role: 'all' | 'api';
}

export interface LoadProfile {
  readonly load: LoadResult;
  /** One per thread, busiest first. */
  readonly threads: readonly TimeSpent[];
}

/** Runs a load against a service that records where its time goes; sampling costs it some percent. */
export async function profileLoad(bench: Bench, options: ProfileOptions): Promise<LoadProfile> {
  const home: Home = options.engine === 'pglite' ? bench.embedded() : await bench.postgres();
  const folder = scratchFolder('profile');
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
  const service = await startService(home, { role: options.role, nodeFlags });
  const worker = options.role === 'api' ? await startWorker(home) : undefined;
  try {
    const { connections, seconds } = options;
    const script = await scriptOf(options.load, service.url);
    await runLoad(service.url, script, { connections, seconds: 3 }); // until the hot paths are compiled
    const fromUs = profileClockUs();
    const load = await runLoad(service.url, script, { connections, seconds });
    const toUs = profileClockUs();
    await service.stop();
    return { load, threads: readProfiles(folder, fromUs, toUs) };
  } finally {
    await service.stop();
    await worker?.stop();
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
