import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Child, ROOT, startChild } from './scratch.js';

let isBuilt = false;

/**
 * Starts one of the programs under bench/src/contenders, built like the service itself: what tsx adds to run TypeScript would cost
 * them some percent that the service does not pay.
 */
export function startContender(name: string, args: readonly string[]): Child {
  return startChild(process.execPath, [builtContender(name), ...args]);
}

/** The file of one of them, built. */
export function builtContender(name: string): string {
  if (!isBuilt)
    execFileSync(process.execPath, [TSC, '-p', 'bench/tsconfig.json'], { cwd: ROOT, stdio: 'inherit' });
  isBuilt = true;
  return join(ROOT, `bench/dist/contenders/${name}.js`);
}

const TSC = 'node_modules/typescript/bin/tsc';
