// @ts-check
import { join } from 'node:path';
import { defineConfig } from 'vite';

const PACKAGES = join(import.meta.dirname, '..');

/** Built by packages/service/bundle.mjs. No plugin: the compiler of Vite knows JSX. */
export default defineConfig({
  // For the sources of other packages, too: theirs extend the root's, which the image has not.
  tsconfig: join(import.meta.dirname, 'tsconfig.json'),
  base: '/console/',
  resolve: {
    alias: {
      '@reliability/client/csv-file': join(PACKAGES, 'client/src/csvFile.ts'),
      '@reliability/client/webhooks': join(PACKAGES, 'client/src/webhooks.ts'),
      '@reliability/proof': join(PACKAGES, 'proof/src/index.ts'),
      '@reliability/scoring': join(PACKAGES, 'scoring/src/index.ts'),
    },
  },
  // `development` follows NODE_ENV, and the tests bundle, too.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    target: 'es2022',
    // The policy of the page allows no data: scripts, and one file more costs less than a second copy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A view's own file of styles is asked for once: a view whose script came with a second attempt would lack it.
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
});
