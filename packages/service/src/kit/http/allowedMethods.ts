import { operationsOf, type RouteTable } from './route.js';

/** Which methods an address takes, for the `Allow` of a 405; none for an address that is not in the table. */
export function allowedMethods(table: RouteTable): (path: string) => readonly string[] {
  const patterns = operationsOf(table).map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  };
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/\{\w+\}/)
    .map((fixed) => fixed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
