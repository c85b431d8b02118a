// @ts-check
// What is shipped is made in a folder of its own: `exports` of a workspace lead to its sources, which a package does not have.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');
/** Each with declarations of its own: a compiler takes those of one format for that format alone. */
const FORMATS = {
  esm: [],
  cjs: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
};

/** @typedef {Record<string, any>} Manifest */

/**
 * Builds packages/NAME/dist, which is the package, and packs it.
 * @param {string} name of the workspace
 * @param {string} folder for the tarball
 * @returns {string} the path of the tarball
 */
export function packLibrary(name, folder) {
  const source = join(ROOT, 'packages', name);
  const stage = join(source, 'dist');
  rmSync(stage, { recursive: true, force: true });
  for (const [format, options] of Object.entries(FORMATS))
    run(process.execPath, [TSC, '-p', source, '--outDir', join(stage, format), ...options]);
  writeJson(join(stage, 'cjs/package.json'), { type: 'commonjs' });
  const own = manifestIn(source);
  const siblings = Object.keys(own.dependencies ?? {}).filter((other) => other.startsWith('@reliability/'));
  // Nobody else has the packages of this repository, so what a package needs of them goes along.
  for (const other of siblings)
    cpSync(join(ROOT, 'packages', basename(other), 'dist'), join(stage, 'node_modules', other), { recursive: true });
  return packFolder(stage, source, { ...libraryManifest(own), ...(siblings.length > 0 && { bundleDependencies: siblings }) }, folder);
}

/**
 * Packs a folder with the manifest, the README and the license that a registry shows.
 * @param {string} stage
 * @param {string} source the workspace
 * @param {Manifest} manifest
 * @param {string} folder
 */
export function packFolder(stage, source, manifest, folder) {
  const { license, engines, homepage, repository, bugs } = manifestIn(ROOT);
  const directory = `packages/${basename(source)}`;
  writeJson(join(stage, 'package.json'), {
    ...manifest,
    license,
    homepage,
    repository: { ...repository, directory },
    bugs,
    engines,
    publishConfig: { access: 'public' },
  });
  cpSync(join(source, 'README.md'), join(stage, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
  mkdirSync(folder, { recursive: true });
  const packed = run('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`], stage);
  return join(folder, packed.trim().split('\n').at(-1) ?? '');
}

/** @param {Manifest} own of the workspace */
function libraryManifest({ scripts, devDependencies, files, exports, private: _, ...own }) {
  const entries = Object.entries(exports).map(([path, { source }]) => ({ path, file: basename(source, '.ts') }));
  const of = (/** @type {string} */ format, /** @type {string} */ file) => ({
    types: `./${format}/${file}.d.ts`,
    default: `./${format}/${file}.js`,
  });
  const main = of('cjs', 'index');
  // For compilers that do not read `exports` (moduleResolution node10).
  const below = entries
    .filter(({ path }) => path !== '.')
    .map(({ path, file }) => [path.slice(2), [of('cjs', file).types]]);
  return {
    ...own,
    main: main.default,
    types: main.types,
    exports: {
      ...Object.fromEntries(
        entries.map(({ path, file }) => [path, { require: of('cjs', file), default: of('esm', file) }]),
      ),
      './package.json': './package.json',
    },
    ...(below.length > 0 && { typesVersions: { '*': Object.fromEntries(below) } }),
  };
}

/** @param {string} folder @returns {Manifest} */
export function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * @param {string} path
 * @param {object} value
 */
export function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args, cwd = ROOT) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
