import { readFile } from 'node:fs/promises';
import { packageFile } from '../../kit/packageFile.js';

/** The script of the page, as `bundle.mjs` built it. When the service runs from its sources, it is built now. */
export async function readCheckScript(): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return readFile(packageFile('dist/checkPage.js'), 'utf8');
  const bundler = (await import(packageFile('bundle.mjs').href)) as { bundlePageScript(): Promise<string> };
  return bundler.bundlePageScript();
}
