import { readFileSync } from 'node:fs';

/** The lines of a table in this folder, each as its cells. */
export function linesOf(file: string): string[][] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
