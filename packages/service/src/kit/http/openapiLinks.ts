import { mapValues } from '../mapValues.js';
import type { LinkObject, OpenApiDocument, OperationObject } from './openapiTypes.js';
import { API_PREFIX } from './route.js';

/** Operation and JSON pointer, by the place where the id is used: see `sourceOf`. */
export type IdSources = Readonly<Record<string, string>>;

interface Source {
  readonly operationId: string;
  /** A pointer into the body of its answer, with the leading slash. */
  readonly pointer: string;
}

/**
 * The source of a placeholder of an address (`/webhooks/{id}`), or of a field of the query (`?`) or
 * body (`#`).
 */
export function sourceOf(
  sources: IdSources,
  path: string,
  location: 'path' | '?' | '#',
  name: string,
): Source | null {
  const address = path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
  const end = address.indexOf(`{${name}}`) + name.length + 2;
  const source = sources[location === 'path' ? address.slice(0, end) : `${address}${location}${name}`];
  if (source === undefined) return null;
  const [operationId = ''] = source.split('/', 1);
  return { operationId, pointer: source.slice(operationId.length) };
}

type Paths = OpenApiDocument['paths'];

interface Placed {
  readonly path: string;
  readonly operation: OperationObject;
}

/** The paths, with links from each operation that creates an id to the operations that take it. */
export function withLinks(paths: Paths, sources: IdSources): Paths {
  const takers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  return mapValues(paths, (methods, path) =>
    mapValues(methods, (operation) => {
      const links: Record<string, LinkObject> = {};
      for (const taker of takers) {
        const parameters = suppliedBy({ path, operation }, taker, sources);
        const { operationId } = taker.operation;
        if (parameters) links[operationId] = { operationId, parameters };
      }
      if (Object.keys(links).length === 0) return operation;
      const responses = mapValues(operation.responses, (response, status) =>
        Number(status) < 300 ? { ...response, links } : response,
      );
      return { ...operation, responses };
    }),
  );
}

/** The parameters of `taker` that the answer of `maker` supplies; null: none. */
function suppliedBy(maker: Placed, taker: Placed, sources: IdSources): LinkObject['parameters'] | null {
  const fromAnswer: Record<string, string> = {};
  const fromRequest: Record<string, string> = {};
  for (const { name, in: where } of taker.operation.parameters ?? []) {
    if (where === 'header') continue;
    const source = sourceOf(sources, taker.path, where === 'path' ? 'path' : '?', name);
    if (source === null) continue;
    if (source.operationId === maker.operation.operationId)
      fromAnswer[name] = `$response.body#${source.pointer}`;
    else if (
      where === 'path' &&
      sourceOf(sources, maker.path, 'path', name)?.operationId === source.operationId
    )
      fromRequest[name] = `$request.path.${name}`;
  }
  return Object.keys(fromAnswer).length === 0 ? null : { ...fromRequest, ...fromAnswer };
}
