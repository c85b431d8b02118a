// @ts-check
// Packs the command line and the service into one tarball, which installs anywhere.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestIn, packFolder, writeJson } from '../../scripts/packLibrary.mjs';
import { bundleAll } from './bundle.mjs';

const PACKAGE = import.meta.dirname;
const SERVICE = join(PACKAGE, '../service');
/** Needed to build the service alone. */
const BUILD_PACKAGES = ['esbuild', 'vite'];

/**
 * @param {string} stage where the package is made
 * @param {string} folder for the tarball
 */
export async function packCommandLine(stage, folder) {
  await bundleAll();
  // The programs of the service find its files by its name.
  const service = join(stage, 'node_modules/@reliability/service');
  mkdirSync(join(service, 'browser'), { recursive: true });
  writeFileSync(
    join(stage, 'reliability.js'),
    `#!/usr/bin/env node\n${readFileSync(join(PACKAGE, 'dist/reliability.js'), 'utf8')}`,
    { mode: 0o755 },
  );
  for (const name of ['data', 'dist', 'migrations', 'operations'])
    cpSync(join(SERVICE, name), join(service, name), { recursive: true });
  for (const name of readdirSync(join(SERVICE, 'browser')).filter((file) => file.endsWith('.js')))
    cpSync(join(SERVICE, 'browser', name), join(service, 'browser', name));
  const { name, version, type } = manifestIn(SERVICE);
  writeJson(join(service, 'package.json'), { name, version, type });
  return packFolder(stage, PACKAGE, manifest(version), folder);
}

/** @param {string} version of the service */
function manifest(version) {
  const { private: _, ...own } = manifestIn(PACKAGE);
  const needed = Object.entries(manifestIn(SERVICE).dependencies).filter(
    ([name]) => !name.startsWith('@reliability/') && !BUILD_PACKAGES.includes(name),
  );
  return {
    ...own,
    bin: { reliability: 'reliability.js' },
    files: ['reliability.js'],
    dependencies: { ...Object.fromEntries(needed), '@reliability/service': version },
    bundleDependencies: ['@reliability/service'],
  };
}
