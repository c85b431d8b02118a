// @ts-check
// `npm run pack [-- FOLDER]`: packs the command line with the service, and the three libraries, into FOLDER (default: dist).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packCommandLine } from '../packages/cli/pack.mjs';
import { packLibrary } from './packLibrary.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** Each after what it contains. */
const LIBRARIES = ['scoring', 'proof', 'client'];

const isProgram = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) for (const path of await packAll(resolve(process.argv[2] ?? 'dist'))) console.log(path);

/**
 * @param {string} folder
 * @returns the paths of the tarballs
 */
export async function packAll(folder) {
  // Types of the client are not committed.
  execFileSync('npm', ['run', '--silent', 'generate:client'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stages = mkdtempSync(join(tmpdir(), 'reliability-pack-'));
  try {
    const libraries = LIBRARIES.map((name) => packLibrary(name, stages, folder));
    return [await packCommandLine(join(stages, 'cli'), folder), ...libraries];
  } finally {
    rmSync(stages, { recursive: true, force: true });
  }
}
