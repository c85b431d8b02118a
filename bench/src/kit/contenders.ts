import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../../packages/service/bundle.mjs';
import { type Child, ROOT, startChild } from './scratch.js';

const SOURCES = join(ROOT, 'bench/src/contenders');
const BUNDLES = join(ROOT, 'bench/dist/contenders');

const names = readdirSync(SOURCES).map((file) => file.replace(/\.ts$/, ''));
await bundle({
  entryPoints: Object.fromEntries(names.map((name) => [name, join(SOURCES, name)])),
  outdir: BUNDLES,
});

/**
 * Starts a program of bench/src/contenders. It is bundled like the service itself: running it through tsx would slow it down by
 * some percent.
 */
export function startContender(name: string, args: readonly string[]): Child {
  return startChild(process.execPath, [contenderFile(name), ...args]);
}

/** The bundled file of a contender. */
export function contenderFile(name: string): string {
  return join(BUNDLES, `${name}.js`);
}
