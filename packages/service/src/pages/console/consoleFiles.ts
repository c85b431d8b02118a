import { readdir, readFile } from 'node:fs/promises';
import { packageFile } from '#kit/packageFile.js';

/** The built files of packages/console by their path: `index.html`, `assets/main-….js`. */
export type ConsoleFiles = ReadonlyMap<string, Buffer>;

/** As `bundle.mjs` built them. When the service runs from its sources, they are built now. */
export async function readConsoleFiles(): Promise<ConsoleFiles> {
  if (import.meta.url.endsWith('.ts')) {
    const bundler = (await import(packageFile('bundle.mjs').href)) as Bundler;
    return bundler.buildConsole();
  }
  const folder = packageFile('dist/console/');
  const assets = await readdir(new URL('assets/', folder));
  const paths = ['index.html', ...assets.map((name) => `assets/${name}`)];
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(new URL(path, folder))] as const)),
  );
}

interface Bundler {
  buildConsole(): Promise<ConsoleFiles>;
}
