/** A TypeScript file as the program of a thread: Node cannot load it directly. */
export function typescriptFile(source: string): URL {
  const loader = import.meta.resolve('tsx/esm/api');
  const lines = [
    `import { register } from ${JSON.stringify(loader)};`,
    'register();',
    `await import(${JSON.stringify(source)});`,
  ];
  return new URL(`data:text/javascript,${encodeURIComponent(lines.join('\n'))}`);
}
