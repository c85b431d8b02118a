import type { OperationObject } from '#kit/http/openapiSchemas.js';
import type { ClientModel, ClientOperation } from './clientModel.js';

export interface ExampleRequest {
  readonly model: ClientModel;
  /** The operation as clients have it. Undefined: they have no method for it. */
  readonly called: ClientOperation | undefined;
  readonly operation: OperationObject;
  readonly method: string;
  readonly baseUrl: string;
  /** With the values of the examples, and the required parameters of the query. */
  readonly url: string;
  readonly pathValues: readonly unknown[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly secret: { header: string; prefix: string; variable: string } | undefined;
  readonly body: { type: string; example: unknown } | undefined;
}

export function exampleRequest(
  model: ClientModel,
  baseUrl: string,
  method: string,
  path: string,
  operation: OperationObject,
): ExampleRequest {
  const parameters = operation.parameters ?? [];
  const examples = new Map(
    parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, example]),
  );
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    encodeURIComponent(String(examples.get(name) ?? placeholder)),
  );
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = Object.fromEntries(required.map(({ name, example }) => [name, example ?? '']));
  const search = new URLSearchParams();
  for (const { name, example } of required) search.set(name, String(example ?? ''));
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  return {
    model,
    called: model.operations.find(({ id }) => id === operation.operationId),
    operation,
    method,
    baseUrl,
    url: `${baseUrl}${filled}${search.size === 0 ? '' : `?${search}`}`,
    pathValues: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => examples.get(name) ?? ''),
    query,
    secret: secretOf(operation),
    body: type === undefined || media?.example === undefined ? undefined : { type, example: media.example },
  };
}

function secretOf({ security: [scheme = {}] }: OperationObject): ExampleRequest['secret'] {
  if ('apiKey' in scheme) return { header: 'Authorization', prefix: 'Bearer ', variable: 'RELIABILITY_KEY' };
  if ('adminSecret' in scheme) return { header: 'X-Admin-Secret', prefix: '', variable: 'ADMIN_SECRET' };
  return undefined;
}
