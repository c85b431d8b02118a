import { requestBodyOf, successResponses } from './openapiContent.js';
import { errorResponses } from './openapiErrors.js';
import { parametersOf } from './openapiParameters.js';
import type { SchemaShelf } from './openapiSchemas.js';
import type { OperationObject, ResponseObject } from './openapiTypes.js';
import { type Access, API_PREFIX, type Operation, type Route } from './route.js';

/** One line of the route table as OpenAPI says it. */
export function operationObject(operation: Operation, shelf: SchemaShelf): OperationObject {
  const { route } = operation;
  const parameters = parametersOf(operation, shelf);
  return {
    operationId: operationIdOf(operation),
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route.access),
    ...(route.access.kind === 'key' &&
      route.access.scope && { 'x-scope': scopeOf(route.access.scope, operation.method) }),
    ...(route.plan && { 'x-plan-feature': route.plan }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBodyOf(route.body, route, shelf) }),
    responses: joined(operation, successResponses(route, shelf), errorResponses(operation, shelf)),
  };
}

type Responses = Record<string, ResponseObject>;

function joined({ method, path }: Operation, answers: Responses, errors: Responses): Responses {
  const twice = Object.keys(answers).find((status) => errors[status]);
  if (twice)
    throw new Error(`${method} ${path} names ${twice} both as an answer and, by its errors, as an error`);
  return { ...answers, ...errors };
}

/** `GET /users/{id}/score` is getUsersScore, `GET /webhooks/{id}` getWebhooksById, an address at the root starts getRoot. */
export function operationIdOf({ method, path }: Operation): string {
  const isRoot = !path.startsWith(`${API_PREFIX}/`);
  const segments = (isRoot ? path : path.slice(API_PREFIX.length))
    .split('/')
    .filter((segment) => segment !== '');
  const words = segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}/.exec(segment)?.[1];
    if (name === undefined) return segment.split(/[^A-Za-z0-9]+/);
    return index === segments.length - 1 ? ['by', name] : [];
  });
  return method.toLowerCase() + [isRoot ? 'root' : '', ...words].map(capitalised).join('');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function descriptionOf(route: Route): string | undefined {
  const { deprecated } = route;
  const ending = deprecated
    ? `Deprecated since ${isoDay(deprecated.since)}, ends on ${isoDay(deprecated.sunset)}. Instead: ${deprecated.replacement}. See ${deprecated.link}`
    : undefined;
  const paragraphs = [route.description, ending].filter((paragraph) => paragraph !== undefined);
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function securityOf(access: Access): OperationObject['security'] {
  if (access.kind === 'public') return [];
  return access.kind === 'key' ? [{ apiKey: [] }] : [{ adminSecret: [] }];
}

function scopeOf({ resource, action }: { resource: string; action: string }, method: string): string {
  if (action === 'either') return `${resource}:read or ${resource}:write`;
  if (action !== 'byMethod') return `${resource}:${action}`;
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`;
}
