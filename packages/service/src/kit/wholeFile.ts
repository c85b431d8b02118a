import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './db/errors.js';

/** The text of a small file; null if it does not exist. */
export async function readWholeFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Replaces a small file as a whole: no reader sees half of it. Creates the folder if needed.
 * @param flush waits until the text is on the disk
 */
export async function writeWholeFile(path: string, text: string, { flush = false } = {}): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, text, { mode: 0o600, flush });
  await rename(draft, path);
}
