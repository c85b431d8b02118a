import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** The text of the file without its line end, or null if it does not exist. Removes other users' access. */
export async function readSecretFile(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trimEnd();
    // Fails on a read-only mount, which is left as it is.
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, OWNER_ONLY_FILE).catch(() => undefined);
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a file that its owner alone can read, making the folder when absent. It appears whole or not at all: a crash
 * halfway must not leave half a secret that the next start would take for a whole one.
 */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  const draft = `${path}.draft`;
  await rm(draft, { force: true }); // of a process that was killed here
  await writeFile(draft, `${text}\n`, { mode: OWNER_ONLY_FILE, flag: 'wx', flush: true });
  await rename(draft, path);
}
