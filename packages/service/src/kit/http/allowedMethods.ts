import { operationsOf, type RouteTable } from './route.js';

/**
 * The methods of an address, for the `Allow` header of a 405. Empty for an address that is not in
 * the table.
 */
export function allowedMethods(table: RouteTable): (path: string) => readonly string[] {
  const operations = operationsOf(table).map(({ method, path }) => {
    return { method, path, matches: matcherOf(path) };
  });
  return (path) => {
    const literal = operations.filter((operation) => operation.path === path);
    const matching = literal.length > 0 ? literal : operations.filter(({ matches }) => matches(path));
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
      const matches = matcherOf(path);
      const taken = [...literals].filter((literal) => matches(literal) && !own.has(`${method} ${literal}`));
      return taken.map((literal) => ({ method, path: literal }));
    });
}

/** Whether an address has the form of a path, in which `{rest}` is all that is left. */
function matcherOf(path: string): (address: string) => boolean {
  const wanted = path.split('/').map((segment) => segment.split(/\{\w+\}/));
  return (address) => {
    const given = address.split('/');
    if (path.endsWith('/{rest}')) given.push(given.splice(wanted.length - 1).join('/'));
    return given.length === wanted.length && wanted.every((parts, index) => isFilled(parts, given[index]));
  };
}

/** The parts of a segment are the texts before and after its parameter. */
function isFilled([start = '', end]: readonly string[], segment = ''): boolean {
  if (end === undefined) return segment === start;
  return segment.length > start.length + end.length && segment.startsWith(start) && segment.endsWith(end);
}
