import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// Asked of Node's resolver: in a bundle, the place of a module says nothing about the place of its source.
const manifest = createRequire(import.meta.url).resolve('@reliability/service/package.json');

/** A file or folder of this package by its path from the package's folder. */
export function packageFile(path: string): URL {
  return new URL(path, pathToFileURL(manifest));
}
