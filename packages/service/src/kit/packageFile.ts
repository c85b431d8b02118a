import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// By Node's resolver: in a bundle, the path of a module says nothing about its source.
const manifest = createRequire(import.meta.url).resolve('@reliability/service/package.json');

/** A file or folder of this package, by its path from the folder of the package. */
export function packageFile(path: string): URL {
  return new URL(path, pathToFileURL(manifest));
}
