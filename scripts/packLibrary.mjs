// @ts-check
// What is shipped is made in a folder of its own: `exports` of a workspace lead to its sources, which a package does not have.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');
/** Each with declarations of its own: a compiler takes those of one format for that format alone. */
const FORMATS = {
  esm: {},
  cjs: { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false },
};

/** @typedef {Record<string, any>} Manifest */

/**
 * Builds a library and packs it.
 * @param {string} name of the workspace
 * @param {string} stages where the packages are made; those of this repository that it needs are there
 * @param {string} folder for the tarball
 * @returns {string} the path of the tarball
 */
export function packLibrary(name, stages, folder) {
  const source = join(ROOT, 'packages', name);
  const stage = join(stages, name);
  const own = manifestIn(source);
  const siblings = Object.keys(own.dependencies ?? {}).filter((other) => other.startsWith('@reliability/'));
  mkdirSync(stage, { recursive: true });
  for (const [format, options] of Object.entries(FORMATS)) {
    const types = siblings.map((other) => [other, [join(stages, basename(other), format, 'index.d.ts')]]);
    const config = join(stages, `${name}.${format}.json`);
    writeJson(config, {
      extends: join(source, 'tsconfig.json'),
      compilerOptions: {
        ...options,
        sourceMap: false,
        rootDir: join(source, 'src'),
        outDir: join(stage, format),
        paths: Object.fromEntries(types),
      },
      include: [join(source, 'src')],
    });
    run(process.execPath, [TSC, '-p', config]);
  }
  writeJson(join(stage, 'cjs/package.json'), { type: 'commonjs' });
  // Nobody else has the packages of this repository, so what a package needs of them goes along.
  for (const other of siblings)
    cpSync(join(stages, basename(other)), join(stage, 'node_modules', other), { recursive: true });
  const bundled = siblings.length > 0 && { bundleDependencies: siblings };
  return packFolder(stage, source, { ...libraryManifest(own), ...bundled }, folder);
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
  writeJson(join(stage, 'package.json'), {
    ...manifest,
    license,
    homepage,
    repository: { ...repository, directory: `packages/${basename(source)}` },
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
function libraryManifest({ devDependencies, exports, private: _, ...own }) {
  const entries = Object.entries(exports).map(([path, { source }]) => ({
    path,
    file: basename(source, '.ts'),
  }));
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
