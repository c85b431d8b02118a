// @ts-check
// Bundles the programs of the service into dist/, if their sources have changed since the last time (esbuild, under a second). One file a
// program, thread and helper process, side by side: `new URL('./pgliteWorker.js', import.meta.url)` finds its file here and in src.
// Packages stay in node_modules: bundled too, they would load 0.15 s faster and take three times as long to bundle (docs/benchmarks/firstStart.md).
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = import.meta.dirname;
const CLIENT = resolve(PACKAGE, '../client/src');
const SCORING = resolve(PACKAGE, '../scoring/src');
const PROOF = resolve(PACKAGE, '../proof/src');
const CONSOLE = resolve(PACKAGE, '../console');
const PAGE_SCRIPTS = join(PACKAGE, 'browser');
const DOCS = resolve(PACKAGE, '../../docs');
const DIST = join(PACKAGE, 'dist');
const PROGRAMS = {
  importThread: 'src/start/importThread.ts',
  pgliteMaker: 'src/shape/embedded/pgliteMaker.js',
  pgliteWorker: 'src/shape/embedded/pgliteWorker.js',
  acceptRollback: 'src/commands/acceptRollback.ts',
  auditLedger: 'src/commands/auditLedger.ts',
  backtest: 'src/commands/backtest.ts',
  distribute: 'src/commands/distribute.ts',
  steppedService: 'src/demo/steppedService.ts',
  doctor: 'src/commands/doctor.ts',
  groups: 'src/commands/groups.ts',
  movePlatform: 'src/commands/movePlatform.ts',
  migrate: 'src/commands/migrate.ts',
  rotateDataKey: 'src/commands/rotateDataKey.ts',
  rotateSigningKey: 'src/commands/rotateSigningKey.ts',
};
/** Files of `bundleMain` besides main.js. */
const PART = /^\w+-[A-Z0-9]{8}\.js(\.map)?$/;
const PAGES_WITH_SCRIPT = ['check', 'docs', 'how', 'localTimes', 'offer'];
const PROGRAM = fileURLToPath(import.meta.url);
const COMMON = {
  alias: {
    // Its many small files would take 50 ms to load, also without traces. Copies of it share their state.
    '@opentelemetry/api': createRequire(import.meta.url)
      .resolve('@opentelemetry/api')
      .replace('/src/', '/esm/'),
    '@reliability/client': join(CLIENT, 'index.ts'),
    '@reliability/client/csv-file': join(CLIENT, 'csvFile.ts'),
    '@reliability/proof': join(PROOF, 'index.ts'),
    '@reliability/scoring': join(SCORING, 'index.ts'),
  },
  // The image has no tsconfig.json.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  logLevel: /** @type {const} */ ('warning'),
};

if (process.argv[1] && realpathSync(process.argv[1]) === PROGRAM) await bundleFromSources(bundleService);

/**
 * Runs a bundler and explains a folder that cannot be written. False: the exit code is set.
 * @param {() => Promise<void>} work
 */
export async function bundleFromSources(work) {
  try {
    await work();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(code);
    if (!isRefused) throw error;
    console.error(
      `The service cannot be bundled into ${DIST} (${code}). Run \`npm run build\` as a user who can write there; ` +
        'then it also starts where it cannot write.',
    );
    process.exitCode = 2;
    return false;
  }
}

/** Brings dist/ up to date with the sources. */
export function bundleService() {
  const consoleSources = ['src', 'index.html', 'tsconfig.json', 'vite.config.mjs', '../client/src'].map(
    (path) => join(CONSOLE, path),
  );
  const sources = [
    join(PACKAGE, 'src'),
    join(PACKAGE, 'data'),
    PAGE_SCRIPTS,
    PROOF,
    SCORING,
    DOCS,
    PROGRAM,
    ...consoleSources,
  ];
  return whenChanged(DIST, sources, async () => {
    await bundle({ entryPoints: PROGRAMS, outdir: DIST });
    await bundleMain();
    await bundleConsole();
    for (const name of PAGES_WITH_SCRIPT)
      writeWhole(join(DIST, 'pages', `${name}.js`), await bundlePageScript(name));
    for (const path of filesIn(DOCS))
      writeWhole(join(DIST, 'docs', relative(DOCS, path)), readFileSync(path));
  });
}

/**
 * Builds into a folder, unless that was done from the same sources.
 * @param {string} outdir
 * @param {string[]} sources files and folders
 * @param {() => Promise<void>} build
 */
export async function whenChanged(outdir, sources, build) {
  const stamp = join(outdir, 'sources.sha256');
  const present = fingerprint(sources);
  if (textOf(stamp) === present) return;
  await build();
  writeWhole(stamp, present);
}

/**
 * Bundles programs of this repository. Each file is replaced as a whole: another process may be starting from it.
 * @param {{ entryPoints: Record<string, string>, outdir: string, options?: import('esbuild').BuildOptions }} what paths from this
 *   package's folder. By default packages stay in node_modules.
 * @returns the names of the files.
 */
export async function bundle({ entryPoints, outdir, options }) {
  const { build } = await import('esbuild');
  const { outputFiles = [] } = await build({
    absWorkingDir: PACKAGE,
    entryPoints,
    outdir,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'linked',
    sourcesContent: false,
    ...COMMON,
    ...options,
  });
  // Entry points last: they name the other parts.
  const isEntry = (/** @type {string} */ path) => basename(path, '.js') in entryPoints;
  outputFiles.sort((one, other) => Number(isEntry(one.path)) - Number(isEntry(other.path)));
  for (const { path, contents, text } of outputFiles) {
    // V8 keeps the text of a program: in two bytes a character, if one of them needs two.
    if (path.endsWith('.js') && !/^\p{ASCII}*$/u.test(text))
      throw new Error(
        `${path} is not ASCII: write characters of comments and regular expressions as \\u escapes`,
      );
    writeWhole(path, contents);
  }
  return new Set(outputFiles.map(({ path }) => basename(path)));
}

/**
 * A script of the pages, complete in one file.
 * @param {string} name of its folder in browser/
 */
export async function bundlePageScript(name) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: PACKAGE,
    entryPoints: [`browser/${name}/main.ts`],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    ...COMMON,
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * The service itself in parts, because it starts the embedded engine before it loads the rest. A part is named by its content, so
 * a process that is starting finds the parts that it knows.
 */
async function bundleMain() {
  const parts = await bundle({
    entryPoints: { main: 'src/start/main.ts' },
    outdir: DIST,
    options: { splitting: true, chunkNames: '[name]-[hash]' },
  });
  const former = readdirSync(DIST).filter((name) => PART.test(name) && !parts.has(name));
  for (const name of former) rmSync(join(DIST, name));
}

/** The page last: it names the others. A process that runs has read its own into memory. */
async function bundleConsole() {
  const folder = join(DIST, 'console');
  const files = await buildConsole();
  const assets = [...files].filter(([path]) => path !== 'index.html');
  rmSync(join(folder, 'assets'), { recursive: true, force: true });
  for (const [path, contents] of assets) writeWhole(join(folder, path), contents);
  writeWhole(join(folder, 'index.html'), files.get('index.html') ?? '');
}

/** @returns the files of the web console by their path, built by Vite */
export async function buildConsole() {
  const { build } = await import('vite');
  const result = await build({
    root: CONSOLE,
    configFile: join(CONSOLE, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { write: false },
  });
  if (!('output' in result)) throw new Error('Vite did not answer with one build');
  return new Map(
    result.output.map((file) => [
      file.fileName,
      Buffer.from(file.type === 'chunk' ? file.code : file.source),
    ]),
  );
}

/**
 * Of the names, sizes and times of files. No times are compared: an older version unpacked over a newer one is a change, too.
 * @param {string[]} paths files and folders
 */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(PACKAGE, path)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} path */
function filesIn(path) {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
function writeWhole(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
