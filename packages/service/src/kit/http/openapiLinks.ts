import type { LinkObject, OpenApiDocument, OperationObject, ParameterObject } from './openapiTypes.js';
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

/** The paths, with links from each operation that creates an id to the operations that take it. */
export function withLinks(paths: Paths, sources: IdSources): Paths {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const takers = operations.map((taker): [string, LinkObject | null] => [
            taker.operation.operationId,
            linkBetween({ path, operation }, taker, sources),
          ]);
          const links = Object.fromEntries(
            takers.filter((entry): entry is [string, LinkObject] => entry[1] !== null),
          );
          return [
            method,
            Object.keys(links).length === 0
              ? operation
              : { ...operation, responses: linked(operation, links) },
          ];
        }),
      ),
    ]),
  );
}

interface Placed {
  readonly path: string;
  readonly operation: OperationObject;
}

/** The parameters of `taker` that the answer of `maker` supplies; null: none. */
function linkBetween(maker: Placed, taker: Placed, sources: IdSources): LinkObject | null {
  const fromAnswer: Record<string, string> = {};
  const fromRequest: Record<string, string> = {};
  for (const { name, in: where } of taker.operation.parameters ?? []) {
    const source = parameterSource(sources, taker.path, name, where);
    if (source === null) continue;
    if (source.operationId === maker.operation.operationId)
      fromAnswer[name] = `$response.body#${source.pointer}`;
    else if (
      where === 'path' &&
      parameterSource(sources, maker.path, name, 'path')?.operationId === source.operationId
    )
      fromRequest[name] = `$request.path.${name}`;
  }
  if (Object.keys(fromAnswer).length === 0) return null;
  return { operationId: taker.operation.operationId, parameters: { ...fromRequest, ...fromAnswer } };
}

function parameterSource(
  sources: IdSources,
  path: string,
  name: string,
  where: ParameterObject['in'],
): Source | null {
  return where === 'header' ? null : sourceOf(sources, path, where === 'path' ? 'path' : '?', name);
}

function linked(
  { responses }: OperationObject,
  links: Record<string, LinkObject>,
): OperationObject['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      Number(status) < 300 ? { ...response, links } : response,
    ]),
  );
}
