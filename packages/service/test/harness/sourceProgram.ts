import type { HelperProgram } from '../../src/kit/helperThread.js';

/** A program of the service for a thread, from its source: `sourceProgram('importThread')`. Node cannot load that by itself. */
export function sourceProgram(name: string): HelperProgram {
  const source = new URL(`../../src/${name}.ts`, import.meta.url).href;
  return { file: typescriptFile(source), execArgv: ['--conditions=source'] };
}

/** The same for any TypeScript file. */
export function typescriptFile(source: string): URL {
  const loader = import.meta.resolve('tsx/esm/api');
  const lines = [
    `import { register } from ${JSON.stringify(loader)};`,
    'register();',
    `await import(${JSON.stringify(source)});`,
  ];
  return new URL(`data:text/javascript,${encodeURIComponent(lines.join('\n'))}`);
}
