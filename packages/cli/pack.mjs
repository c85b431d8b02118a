// @ts-check
// `node packages/cli/pack.mjs [folder]`: packs the command line and the service into one tarball, which installs anywhere:
//   npx ./reliability-0.1.0.tgz start
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleAll } from './bundle.mjs';

const PACKAGE = import.meta.dirname;
const ROOT = join(PACKAGE, '../..');
const SERVICE = join(PACKAGE, '../service');
const STAGE = join(PACKAGE, 'dist/package');
/** Needed to build the service alone. */
const BUILD_PACKAGES = ['esbuild', 'vite'];

const folder = resolve(process.argv[2] ?? '.');
await bundleAll();
rmSync(STAGE, { recursive: true, force: true });
mkdirSync(join(STAGE, 'service/browser'), { recursive: true });
writeFileSync(
  join(STAGE, 'reliability.js'),
  `#!/usr/bin/env node\n${readFileSync(join(PACKAGE, 'dist/reliability.js'), 'utf8')}`,
  { mode: 0o755 },
);
for (const name of ['README.md', 'LICENSE'])
  cpSync(join(name === 'LICENSE' ? ROOT : PACKAGE, name), join(STAGE, name));
for (const name of ['data', 'dist', 'migrations', 'operations'])
  cpSync(join(SERVICE, name), join(STAGE, 'service', name), { recursive: true });
for (const name of readdirSync(join(SERVICE, 'browser')).filter((file) => file.endsWith('.js')))
  cpSync(join(SERVICE, 'browser', name), join(STAGE, 'service/browser', name));
writeJson('package.json', manifest());
// The programs of the service find its files by its name.
writeJson('service/package.json', {
  ...only(read(SERVICE), ['name', 'version', 'type']),
  exports: { './package.json': './package.json' },
});
const packed = execFileSync('npm', ['pack', '--silent', `--pack-destination=${folder}`], {
  cwd: STAGE,
  encoding: 'utf8',
});
console.log(join(folder, packed.trim().split('\n').at(-1) ?? ''));

function manifest() {
  const { dependencies } = read(SERVICE);
  const needed = Object.entries(dependencies).filter(
    ([name]) => !name.startsWith('@reliability/') && !BUILD_PACKAGES.includes(name),
  );
  return {
    ...only(read(PACKAGE), ['name', 'version', 'description', 'license', 'type']),
    engines: read(ROOT).engines,
    bin: { reliability: 'reliability.js' },
    files: ['reliability.js', 'service'],
    dependencies: Object.fromEntries(needed),
  };
}

/** @param {string} of */
function read(of) {
  return JSON.parse(readFileSync(join(of, 'package.json'), 'utf8'));
}

/**
 * @param {Record<string, unknown>} source
 * @param {string[]} names
 */
function only(source, names) {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}

/**
 * @param {string} name
 * @param {object} value
 */
function writeJson(name, value) {
  writeFileSync(join(STAGE, name), `${JSON.stringify(value, null, 2)}\n`);
}
