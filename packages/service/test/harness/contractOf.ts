import { sha256 } from '#kit/crypto.js';
import type { JsonSchema, OpenApiDocument, OperationObject } from '#kit/http/openapiSchemas.js';
import { enumsCatalog } from '../../src/features/system/catalogues/enumsCatalog.js';
import { operationsIn } from './openapiCheck.js';

/** By operation, envelope and schema: the facts that callers rely on, as `place:value`. */
export type Contract = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What an OpenAPI document promises. A place is `query.limit?` (optional), `body.events[]`, `200.id`
 * or, in a schema, `.id`; its values are types with their bounds, members of an enumeration, defaults
 * (`=25`) and schemas (`#Policy`). An error has its status and codes.
 */
export function contractOf(document: OpenApiDocument): Contract {
  const { webhooks, components } = document;
  return new Map([
    ...operationsIn(document).map(({ name, method, path, operation }) => {
      return [
        name,
        new Set([`${method} ${path}`, accessOf(operation), ...factsOfOperation(operation)]),
      ] as const;
    }),
    ...operationsIn({ ...document, paths: webhooks }).map(({ name, path, operation }) => {
      return [name, new Set([path, ...bodyOf(operation)])] as const;
    }),
    ...Object.entries(components.schemas).map(([name, schema]) => {
      return [name, new Set(factsOf('', schema))] as const;
    }),
  ]);
}

function accessOf({ security: [who], 'x-scope': scope }: OperationObject): string {
  return `access:${[...Object.keys(who ?? { everyone: [] }), ...(scope ? [scope] : [])].join(' ')}`;
}

function factsOfOperation(operation: OperationObject): string[] {
  const parameters = (operation.parameters ?? []).flatMap(({ in: at, name, required, schema }) =>
    factsOf(`${at}.${name}${required ? '' : '?'}`, schema),
  );
  const answers = Object.entries(operation.responses).flatMap(([status, { content = {} }]) => [
    `status:${status}`,
    ...(Number(status) < 400 ? factsOfContent(status, content) : []),
  ]);
  return [...parameters, ...bodyOf(operation), ...answers];
}

function bodyOf({ requestBody }: OperationObject): string[] {
  if (!requestBody) return [];
  return factsOfContent(requestBody.required ? 'body' : 'body?', requestBody.content);
}

function factsOfContent(at: string, content: Record<string, { schema: JsonSchema }>): string[] {
  return Object.entries(content).flatMap(([type, { schema }]) =>
    factsOf(type === 'application/json' ? at : `${at}(${type})`, schema),
  );
}

function factsOf(at: string, schema: JsonSchema): string[] {
  const { properties = {}, required = [], prefixItems = [], items, additionalProperties } = schema as Parts;
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(
    (parts) => (parts ?? []) as JsonSchema[],
  );
  return [
    ...valuesOf(schema).map((value) => `${at}:${value}`),
    ...choices.flatMap((choice) => factsOf(at, choice)),
    ...Object.entries(properties).flatMap(([name, member]) =>
      factsOf(`${at}.${name}${required.includes(name) ? '' : '?'}`, member),
    ),
    ...prefixItems.flatMap((item, index) => factsOf(`${at}[${index}]`, item)),
    ...(items ? factsOf(`${at}[]`, items) : []),
    ...(typeof additionalProperties === 'object' ? factsOf(`${at}{}`, additionalProperties) : []),
  ];
}

interface Parts {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
}

function valuesOf(schema: JsonSchema): string[] {
  const { $ref, type } = schema;
  const values = 'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
  const known = values && (servedSets.get(values.join()) ?? values);
  return [
    ...($ref === undefined ? [] : [`#${String($ref).split('/').at(-1)}`]),
    ...(known?.map(String) ?? [type ?? []].flat().map((name) => `${name}${boundsOf(schema)}`)),
    ...('default' in schema ? [`=${JSON.stringify(schema.default)}`] : []),
  ];
}

/** The sets of `GET /enums`, each by its values; data/enums.tsv has the values. */
const servedSets = new Map(
  Object.entries(enumsCatalog).map(([name, set]) => [set.map(({ value }) => value).join(), [`@${name}`]]),
);

function boundsOf(schema: JsonSchema): string {
  const { format, pattern } = schema;
  const least = schema.minimum ?? schema.minLength ?? schema.minItems ?? schema.exclusiveMinimum;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const bounds = [
    format,
    pattern && `/${sha256(String(pattern)).toString('hex').slice(0, 8)}/`,
    (least ?? most) === undefined ? undefined : `${least ?? ''}..${most ?? ''}`,
  ].filter((bound) => bound !== undefined);
  return bounds.length > 0 ? `(${bounds.join(' ')})` : '';
}
