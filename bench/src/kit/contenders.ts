import { execFileSync } from 'node:child_process';
import { type Child, ROOT, startChild } from './scratch.js';

let isBuilt = false;

/**
 * Starts one of the programs under bench/src/contenders, built like the service itself: what tsx adds to run TypeScript would cost
 * them some percent that the service does not pay.
 */
export function startContender(name: string, args: readonly string[]): Child {
  if (!isBuilt)
    execFileSync(process.execPath, [TSC, '-p', 'bench/tsconfig.json'], { cwd: ROOT, stdio: 'inherit' });
  isBuilt = true;
  return startChild(process.execPath, [`bench/dist/contenders/${name}.js`, ...args]);
}

const TSC = 'node_modules/typescript/bin/tsc';
