// @ts-check
// Packs the command line and the service into one tarball, which installs anywhere.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { manifestIn, packFolder, writeJson } from '../../scripts/packLibrary.mjs';
import { bundleAll } from './bundle.mjs';

const PACKAGE = import.meta.dirname;
const ROOT = resolve(PACKAGE, '../..');
const SERVICE = join(PACKAGE, '../service');
/** Needed to build the service alone. */
const BUILD_PACKAGES = ['esbuild', 'vite'];

/**
 * @param {string} stage where the package is made
 * @param {string} folder for the tarball
 */
export async function packCommandLine(stage, folder) {
  await bundleAll();
  mkdirSync(join(stage, 'service/browser'), { recursive: true });
  writeFileSync(
    join(stage, 'reliability.js'),
    `#!/usr/bin/env node\n${readFileSync(join(PACKAGE, 'dist/reliability.js'), 'utf8')}`,
    { mode: 0o755 },
  );
  for (const name of ['data', 'dist', 'migrations', 'operations'])
    cpSync(join(SERVICE, name), join(stage, 'service', name), { recursive: true });
  for (const name of readdirSync(join(SERVICE, 'browser')).filter((file) => file.endsWith('.js')))
    cpSync(join(SERVICE, 'browser', name), join(stage, 'service/browser', name));
  // The programs of the service find its files by its name.
  const { name, version, type } = manifestIn(SERVICE);
  writeJson(join(stage, 'service/package.json'), {
    name,
    version,
    type,
    exports: { './package.json': './package.json' },
  });
  const own = manifest();
  writeJson(join(stage, 'npm-shrinkwrap.json'), shrinkwrap(own));
  return packFolder(stage, PACKAGE, own, folder);
}

function manifest() {
  const { private: _, ...own } = manifestIn(PACKAGE);
  const needed = Object.entries(manifestIn(SERVICE).dependencies).filter(
    ([name]) => !name.startsWith('@reliability/') && !BUILD_PACKAGES.includes(name),
  );
  return {
    ...own,
    bin: { reliability: 'reliability.js' },
    files: ['reliability.js', 'service', 'npm-shrinkwrap.json'],
    dependencies: Object.fromEntries(needed),
  };
}

/**
 * The versions that the tests ran with: what is installed in a year still runs on the oldest Node.
 * @param {import('../../scripts/packLibrary.mjs').Manifest} own
 */
function shrinkwrap({ name, version, dependencies }) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  /** @type {Record<string, object>} */
  const found = {};
  const queue = Object.keys(dependencies).map((needed) => ({ needed, from: 'packages/service' }));
  for (const { needed, from } of queue) {
    const path = installedPath(packages, needed, from);
    if (path === undefined) continue; // an optional peer that nobody installed
    const place = path.replace('packages/service/', '');
    if (place in found && found[place] !== packages[path])
      throw new Error(`Two versions of ${needed} would be at ${place}`);
    if (place in found) continue;
    found[place] = packages[path];
    const next = { ...packages[path].dependencies, ...packages[path].optionalDependencies };
    queue.push(...Object.keys({ ...next, ...packages[path].peerDependencies }).map((needed) => ({ needed, from: path })));
  }
  const all = Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': { name, version, dependencies }, ...all } };
}

/**
 * Where Node finds a package.
 * @param {Record<string, any>} packages of the lockfile
 * @param {string} name
 * @param {string} from
 */
function installedPath(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
