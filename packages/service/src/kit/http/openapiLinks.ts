import type { LinkObject, OpenApiDocument, OperationObject, ParameterObject } from './openapiTypes.js';
import { API_PREFIX } from './route.js';

/** Operation and JSON pointer by place: see `sourceOf`. */
export type IdSources = Readonly<Record<string, string>>;

interface Source {
  readonly operationId: string;
  /** Into the body of its answer, with the slash before it. */
  readonly pointer: string;
}

/** Where a placeholder of an address comes from (`/webhooks/{id}`), or a part of the query (`?`) or of the body (`#`). */
export function sourceOf(
  sources: IdSources,
  path: string,
  place: 'path' | '?' | '#',
  name: string,
): Source | null {
  const address = path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
  const end = address.indexOf(`{${name}}`) + name.length + 2;
  const source = sources[place === 'path' ? address.slice(0, end) : `${address}${place}${name}`];
  if (source === undefined) return null;
  const [operationId = ''] = source.split('/', 1);
  return { operationId, pointer: source.slice(operationId.length) };
}

type Paths = OpenApiDocument['paths'];

/** The same paths, where each operation that makes an id says which operations take it. */
export function withLinks(paths: Paths, sources: IdSources): Paths {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const takers = placed.map((taker): [string, LinkObject | null] => [
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

/** What the answer of `maker` gives for the parameters of `taker`; null: nothing. */
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
