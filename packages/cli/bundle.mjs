// @ts-check
// Bundles the command line into one file, with the packages that it needs. A command is executed when it runs, so a start executes the
// table of commands alone.
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundleFromSources, bundleService, whenChanged } from '../service/bundle.mjs';

const PACKAGE = import.meta.dirname;
const DIST = join(PACKAGE, 'dist');
const PROGRAM = fileURLToPath(import.meta.url);
const SOURCES = ['src', 'data', 'package.json', 'bundle.mjs'].concat(
  ['client/src', 'proof/src', 'scoring/src', 'service/src', 'service/data', 'service/browser'].map((path) =>
    join('..', path),
  ),
);

if (process.argv[1] && realpathSync(process.argv[1]) === PROGRAM) await bundleFromSources(bundleAll);

/** The command line and the programs of the service that it runs. */
export async function bundleAll() {
  await bundleService();
  await whenChanged(
    DIST,
    SOURCES.map((path) => join(PACKAGE, path)),
    async () => {
      await bundle({
        entryPoints: { reliability: join(PACKAGE, 'src/main.ts') },
        outdir: DIST,
        options: {
          packages: 'bundle',
          sourcemap: false,
          minify: true,
          define: { RELIABILITY_VERSION: JSON.stringify(version()) },
        },
      });
    },
  );
}

/** @returns {string} */
export function version() {
  return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version;
}
