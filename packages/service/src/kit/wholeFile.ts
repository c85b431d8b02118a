import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function readWholeFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Replaces a small file as a whole: no reader sees half of it, and after a crash no start takes half
 * a secret for a whole one. Only its owner can read it. Creates the folder if needed.
 * @param flush waits until the text is on the disk
 */
export async function writeWholeFile(path: string, text: string, { flush = false } = {}): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  await rm(draft, { force: true }); // left by a process that was killed here
  await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush });
  await rename(draft, path);
}

/** A secret without its final line break; null if there is no file. Removes the access of other users. */
export async function readSecretFile(path: string): Promise<string | null> {
  const text = await readWholeFile(path);
  if (text === null) return null;
  // Fails on a read-only mount, which stays as it is.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600).catch(() => undefined);
  return text.trimEnd();
}

export function writeSecretFile(path: string, text: string): Promise<void> {
  return writeWholeFile(path, `${text}\n`, { flush: true });
}
