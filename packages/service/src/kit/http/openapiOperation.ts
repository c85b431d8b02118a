import { requestBodyOf, successResponses } from './openapiContent.js';
import { errorResponses } from './openapiErrors.js';
import { parametersOf } from './openapiParameters.js';
import type { SchemaRegistry } from './openapiSchemas.js';
import type { OperationObject, ResponseObject } from './openapiTypes.js';
import type { Access, Operation, Route } from './route.js';

/** One route as an OpenAPI operation. */
export function operationObject(operation: Operation, registry: SchemaRegistry): OperationObject {
  const { route } = operation;
  const parameters = parametersOf(operation, registry);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route.access),
    ...(route.access.kind === 'key' &&
      route.access.scope && { 'x-scope': scopeOf(route.access.scope, operation.method) }),
    ...(route.plan && { 'x-plan-feature': route.plan }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBodyOf(route.body, route, registry) }),
    responses: joined(operation, successResponses(route, registry), errorResponses(operation, registry)),
  };
}

type Responses = Record<string, ResponseObject>;

function joined({ method, path }: Operation, answers: Responses, errors: Responses): Responses {
  const twice = Object.keys(answers).find((status) => errors[status]);
  if (twice) throw new Error(`${method} ${path} has status ${twice} both in its answers and in its errors`);
  return { ...answers, ...errors };
}

function descriptionOf(route: Route): string {
  const { deprecated } = route;
  const ending = deprecated
    ? `Deprecated since ${isoDay(deprecated.since)}, ends on ${isoDay(deprecated.sunset)}. Instead: ${deprecated.replacement}. See ${deprecated.link}`
    : undefined;
  return ending === undefined ? route.description : `${route.description}\n\n${ending}`;
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
