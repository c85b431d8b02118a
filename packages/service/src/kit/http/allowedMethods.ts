import { operationsOf, type RouteTable } from './route.js';

/**
 * The methods of an address, for the `Allow` header of a 405. Empty for an address that is not in
 * the table.
 */
export function allowedMethods(table: RouteTable): (path: string) => readonly string[] {
  const operations = operationsOf(table).map(({ method, path }) => ({
    method,
    path,
    pattern: patternOf(path),
  }));
  return (path) => {
    const literal = operations.filter((operation) => operation.path === path);
    const matching = literal.length > 0 ? literal : operations.filter(({ pattern }) => pattern.test(path));
    const methods = matching.map(({ method }) => method);
    return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  };
}

/**
 * Addresses that would match the parameter of another address: `GET /events/batch` is not the event
 * with id `batch`, but an address that takes only POST.
 */
export function shadowedAddresses(table: RouteTable): { method: string; path: string }[] {
  const operations = operationsOf(table);
  const literals = new Set(operations.map(({ path }) => path).filter((path) => !path.includes('{')));
  const own = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  return operations
    .filter(({ path }) => path.includes('{'))
    .flatMap(({ method, path }) => {
      const pattern = patternOf(path);
      const taken = [...literals].filter(
        (literal) => pattern.test(literal) && !own.has(`${method} ${literal}`),
      );
      return taken.map((literal) => ({ method, path: literal }));
    });
}

function patternOf(path: string): RegExp {
  const rest = '/{rest}';
  if (path.endsWith(rest))
    return new RegExp(`${patternOf(path.slice(0, -rest.length)).source.slice(0, -1)}/.+$`);
  const source = path
    .split(/\{\w+\}/)
    .map((fixed) => fixed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
