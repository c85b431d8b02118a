import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorCatalog } from '#domain/errorCatalog.js';
import { essenceOf } from '#kit/http/openapiOperation.js';
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ResponseObject,
} from '#kit/http/openapiSchemas.js';
import { closed } from './closedSchema.js';

/**
 * Checks an answer against the OpenAPI document. Throws on an undocumented status, media type,
 * error code or field, or a field of another shape. Answers gain fields only together with the
 * document.
 * @param urlPath as requested; a query is ignored.
 * @param body parsed if the answer is JSON, otherwise the text.
 */
export function checkAnswer(
  document: object,
  method: string,
  urlPath: string,
  status: number,
  body: unknown,
  contentType: string,
): void {
  const api = preparedFor(document as OpenApiDocument);
  const path = urlPath.split('?', 1)[0] ?? '';
  const call = `${method} ${path} answered ${status}`;
  const operation = api.find(method === 'HEAD' ? 'GET' : method, path);
  if (!operation) {
    // A CORS preflight has no body and is not an operation.
    if (method === 'OPTIONS' && status === 204 && body === '') return;
    if (method !== 'HEAD') checkRefusal(api, call, status, body);
    return;
  }
  const response = resolved(document as ServedDocument, operation.responses[String(status)]);
  if (!response) throw new Error(`${call}, which the document does not name (${JSON.stringify(body)})`);
  if (method === 'HEAD') return;
  if (!response.content) {
    if (body !== '')
      throw new Error(`${call} with a body, where the document has none: ${JSON.stringify(body)}`);
    return;
  }
  const media = response.content[essenceOf(contentType)];
  if (!media) throw new Error(`${call} as "${contentType}", which the document does not name`);
  checkShape(api, call, media.schema, body);
  if (media.examples) checkCode(call, media.examples, body);
}

/** Every operation of a document, by its operationId. */
export function operationsIn(document: OpenApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return { name: operation.operationId, method: method.toUpperCase(), path, operation };
    }),
  );
}

/** An answer of no operation is an error of the common shape. */
function checkRefusal(api: PreparedApi, call: string, status: number, body: unknown): void {
  checkShape(api, call, { $ref: '#/components/schemas/Error' }, body);
  const code = (body as { code: string }).code;
  const known = Object.entries(errorCatalog).find(([name]) => name === code);
  if (known?.[1].status !== status) throw new Error(`${call} with ${code}, which is not that status's`);
}

function checkShape(api: PreparedApi, call: string, schema: JsonSchema, body: unknown): void {
  const errors = api.errorsOf(schema, body);
  if (errors !== null)
    throw new Error(`${call} against the document:\n  ${errors}\n${JSON.stringify(body, null, 1)}`);
}

function checkCode(call: string, examples: object, body: unknown): void {
  const { code } = body as { code: string };
  if (Object.hasOwn(examples, code)) return;
  throw new Error(`${call} with ${code}; its documented codes there are ${Object.keys(examples).join(', ')}`);
}

/** The errors of a value by a closed schema of the document; null: none. */
export function errorsOf(document: object, schema: JsonSchema, value: unknown): string | null {
  return preparedFor(document as OpenApiDocument).errorsOf(schema, value);
}

/** The served document writes equal answers once. */
interface ServedDocument {
  components: { responses?: Record<string, ResponseObject> };
}

function resolved(
  { components }: ServedDocument,
  response: (ResponseObject & { $ref?: string }) | undefined,
): ResponseObject | undefined {
  return response?.$ref ? components.responses?.[response.$ref.split('/').at(-1) ?? ''] : response;
}

interface PreparedApi {
  find(method: string, path: string): OperationObject | undefined;
  errorsOf(schema: JsonSchema, value: unknown): string | null;
}

const prepared = new WeakMap<object, PreparedApi>();

function preparedFor(document: OpenApiDocument): PreparedApi {
  const known = prepared.get(document);
  if (known) return known;
  const made = prepare(document);
  prepared.set(document, made);
  return made;
}

function prepare(document: OpenApiDocument): PreparedApi {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed({ components: { schemas: document.components.schemas } }) as object, 'api');
  // Most answers share a schema, which is compiled once.
  const validators = new Map<unknown, ValidateFunction>();
  const paths = Object.entries(document.paths)
    .map(([template, operations]) => ({ template, pattern: patternOf(template), operations }))
    // "{" sorts after every letter: a literal segment precedes a placeholder, as in the router.
    .sort((a, b) => (a.template < b.template ? -1 : 1));
  return {
    find: (method, path) => paths.find(({ pattern }) => pattern.test(path))?.operations[method.toLowerCase()],
    errorsOf(schema, value) {
      const key = schema.$ref ?? schema;
      let validate = validators.get(key);
      if (!validate) {
        validate = ajv.compile(closed(schema) as object);
        validators.set(key, validate);
      }
      if (validate(value)) return null;
      return (validate.errors ?? [])
        .map(
          ({ instancePath, message, params }) =>
            `${instancePath || 'it'} ${message} ${params.additionalProperty ?? ''}`,
        )
        .join('\n  ');
    },
  };
}

function patternOf(template: string): RegExp {
  const source = template
    .split(/(\{\w+\})/)
    .map((part, index) => {
      if (index % 2 === 1) return part === '{rest}' ? '.+' : '[^/]+';
      return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}
