import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * The text of the file without its final line break, or null if the file does not exist. Removes
 * the access of other users.
 */
export async function readSecretFile(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trimEnd();
    // Fails on a read-only mount, which stays as it is.
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, OWNER_ONLY_FILE).catch(() => undefined);
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, and creates the folder if needed. The write is
 * atomic: after a crash, the next start must not take half a secret for a whole one.
 */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  const draft = `${path}.draft`;
  await rm(draft, { force: true }); // left by a process that was killed here
  await writeFile(draft, `${text}\n`, { mode: OWNER_ONLY_FILE, flag: 'wx', flush: true });
  await rename(draft, path);
}
