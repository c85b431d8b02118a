import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dropFolder, pause, scratchFolder } from './scratch.js';

/** Memory of a process after a full collection, in MB: what it holds, without garbage that V8 has not collected yet. */
export interface LiveMemory {
  readonly residentMb: number;
  /** Objects of the main thread's heap, and buffers outside it. */
  readonly heldMb: number;
}

export interface LiveMemoryProbe {
  /** Flags with which the process has to be started. */
  readonly nodeFlags: readonly string[];
  /** Collects garbage in the process `pid`, which stops it for some 100 ms. */
  measure(pid: number): Promise<LiveMemory>;
  close(): void;
}

const ANSWER_WITHIN_MS = 30_000;

/** A probe of one process. The process listens for SIGUSR2 and writes its figures to a file. */
export function createLiveMemoryProbe(): LiveMemoryProbe {
  const folder = scratchFolder('live-memory');
  let asked = 0;
  return {
    nodeFlags: ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(listener(folder))}`],
    async measure(pid) {
      asked += 1;
      const path = join(folder, String(asked));
      process.kill(pid, 'SIGUSR2');
      for (const startedAt = performance.now(); !existsSync(path); await pause(20))
        if (performance.now() - startedAt > ANSWER_WITHIN_MS)
          throw new Error('the service did not collect its garbage');
      const [resident, held] = readFileSync(path, 'utf8').split(' ').map(Number);
      return { residentMb: (resident ?? Number.NaN) / 1e6, heldMb: (held ?? Number.NaN) / 1e6 };
    },
    close: () => dropFolder(folder),
  };
}

/** How long V8 may take to give pages back after a collection. */
const SETTLED_MS = 1000;

/** Only a collection that compacts frees whole pages. A file is renamed, so it is never read in part. */
function listener(folder: string): string {
  return `
    import { renameSync, writeFileSync } from 'node:fs';
    import { setFlagsFromString } from 'node:v8';
    let asked = 0;
    process.on('SIGUSR2', () => {
      setFlagsFromString('--compact-on-every-full-gc');
      gc();
      gc();
      setFlagsFromString('--no-compact-on-every-full-gc');
      const { heapUsed, external } = process.memoryUsage();
      setTimeout(() => {
        const path = ${JSON.stringify(folder)} + '/' + ++asked;
        writeFileSync(path + '.draft', process.memoryUsage.rss() + ' ' + (heapUsed + external));
        renameSync(path + '.draft', path);
      }, ${SETTLED_MS});
    });`;
}
