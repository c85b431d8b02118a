// @ts-check
// Bundles the programs of the service into dist/, if their sources have changed since the last time (esbuild, under a second). One file a
// program, thread and helper process, side by side: `new URL('./pgliteWorker.js', import.meta.url)` finds its file here and in src.
// Packages stay in node_modules: bundled too, they would load 0.15 s faster and take three times as long to bundle (docs/BENCHMARKS.md).
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = import.meta.dirname;
const SCORING = resolve(PACKAGE, '../scoring/src');
const PROOF = resolve(PACKAGE, '../proof/src');
const PAGE_SCRIPTS = join(PACKAGE, 'browser');
const DIST = join(PACKAGE, 'dist');
const PROGRAMS = {
  main: 'src/main.ts',
  importThread: 'src/importThread.ts',
  pgliteMaker: 'src/kit/db/pgliteMaker.js',
  pgliteWorker: 'src/kit/db/pgliteWorker.js',
  acceptRollback: 'src/commands/acceptRollback.ts',
  auditLedger: 'src/commands/auditLedger.ts',
  backtest: 'src/commands/backtest.ts',
  demo: 'src/commands/demo.ts',
  groups: 'src/commands/groups.ts',
  importFile: 'src/commands/importFile.ts',
  migrate: 'src/commands/migrate.ts',
  rotateDataKey: 'src/commands/rotateDataKey.ts',
  rotateSigningKey: 'src/commands/rotateSigningKey.ts',
  verifyProof: 'src/commands/verifyProof.ts',
};
const PROGRAM = fileURLToPath(import.meta.url);
const COMMON = {
  alias: {
    '@reliability/proof': join(PROOF, 'index.ts'),
    '@reliability/scoring': join(SCORING, 'index.ts'),
  },
  // The image has no tsconfig.json.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  logLevel: /** @type {const} */ ('warning'),
};

if (process.argv[1] && realpathSync(process.argv[1]) === PROGRAM) await runAlone();

async function runAlone() {
  try {
    await bundleService();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(code);
    if (!isRefused) throw error;
    console.error(
      `The service cannot be bundled into ${DIST} (${code}). Run \`npm run build\` as a user who can write there; ` +
        'then it also starts where it cannot write.',
    );
    process.exitCode = 2;
  }
}

/** Brings dist/ up to date with the sources. */
export async function bundleService() {
  const stamp = join(DIST, 'sources.sha256');
  const sources = fingerprint([join(PACKAGE, 'src'), PAGE_SCRIPTS, PROOF, SCORING, PROGRAM]);
  if (textOf(stamp) === sources) return;
  await bundle({ entryPoints: PROGRAMS, outdir: DIST });
  writeWhole(join(DIST, 'checkPage.js'), await bundlePageScript());
  writeWhole(stamp, sources);
}

/**
 * Bundles programs of this repository. Each file is replaced as a whole: another process may be starting from it.
 * @param {{ entryPoints: Record<string, string>, outdir: string }} what paths from this package's folder
 */
export async function bundle({ entryPoints, outdir }) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
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
  });
  for (const { path, contents } of outputFiles) writeWhole(path, contents);
}

/** The script of the page /check, complete in one file. */
export async function bundlePageScript() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: PACKAGE,
    entryPoints: ['browser/check/main.ts'],
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
