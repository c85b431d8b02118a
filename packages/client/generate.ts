// Writes src/generated from the OpenAPI document of the service: `schema.ts`, the types, is not
// committed; `operations.ts` is. With --check: fails if that one differs.
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { errorCatalog } from '../service/src/domain/errorCatalog.js';
import { describeApi } from '../service/src/features/system/system/describeApi.js';
import { isForPrograms } from '../service/src/pages/docs/clientOperations.js';
import { routeTable } from '../service/test/harness/routeTable.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The parts of an OpenAPI document that are read here. */
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, { schema: Schema }>; headers?: unknown }>;
}
interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
}
interface ApiDocument {
  paths: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>;
  components: { schemas: Record<string, Schema>; examples?: unknown; headers?: unknown };
}

const document = await apiDocument();
const { paths, components } = document;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  METHODS.flatMap((method) => {
    const operation = methods[method];
    return operation && isForPrograms(path, operation) ? [{ path, method, operation }] : [];
  }),
);

// The table first: `types` reduces the document.
const table = operationTable();
if (process.argv.includes('--check') && table !== readFileSync(fileOf('operations.ts'), 'utf8')) {
  console.error('the client differs from the API: run npm run generate:client and commit');
  process.exitCode = 1;
} else {
  replaceFile('operations.ts', table);
  replaceFile('schema.ts', await types());
  console.log(`client: ${operations.length} operations`);
}

/** A compiler that runs meanwhile reads the old file or the new one. */
function replaceFile(name: string, text: string): void {
  const written = fileOf(`${name}.${process.pid}`);
  writeFileSync(written, text);
  renameSync(written, fileOf(name));
}

async function apiDocument(): Promise<ApiDocument> {
  const described = await describeApi(() => routeTable(), 'https://scores.example')();
  return withoutExamples(described) as ApiDocument;
}

/** They make two thirds of the types, and are in the API reference. */
function withoutExamples(value: unknown, isMapOfProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => isMapOfProperties || (name !== 'example' && name !== 'examples'),
  );
  return Object.fromEntries(
    kept.map(([name, own]) => [name, withoutExamples(own, !isMapOfProperties && name === 'properties')]),
  );
}

function successOf({ responses }: Pick<Operation, 'responses'>) {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  if (!success) throw new Error('an operation without a success');
  return success[1];
}

/** Types of parameters, bodies and JSON answers. Errors have one form, so they are left out. */
async function types(): Promise<string> {
  const kept = new Set(operations.map(({ operation }) => operation));
  for (const methods of Object.values(paths)) {
    for (const method of METHODS) {
      const operation = methods[method];
      if (operation && !kept.has(operation)) delete methods[method];
      if (operation) slim(operation);
    }
  }
  const nodes = await openapiTS(
    JSON.stringify({ ...document, webhooks: {}, components: { schemas: components.schemas } }),
    {
      alphabetize: false,
      emptyObjectsUnknown: true,
      // A field with a default need not be sent.
      defaultNonNullable: false,
    },
  );
  const wanted = nodes.filter((node) => {
    const { name } = node as { name?: { text: string } };
    return name?.text === 'components' || name?.text === 'operations';
  });
  return `// Written by generate.ts.\n${astToString(wanted)}`;
}

function slim(operation: Operation): void {
  operation.parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const [[status, success] = []] = Object.entries(operation.responses).filter(([code]) =>
    code.startsWith('2'),
  );
  if (!status || !success) return;
  delete success.headers;
  operation.responses = { [status]: success };
}

/** What the client has to know of an operation while it runs. */
function operationTable(): string {
  const rows = operations.map(({ path, method, operation }) => {
    const { operationId, parameters = [], requestBody } = operation;
    const isKeyed = parameters.some(
      ({ name, in: place }) => place === 'header' && name === 'Idempotency-Key',
    );
    const flags = [
      requestBody && ('text/csv' in requestBody.content ? 'body csv' : 'body'),
      parameters.some(({ in: place }) => place === 'query') && 'query',
      isKeyed && 'keyed',
      itemsOf(operation),
    ].filter(Boolean);
    return `  ${operationId}: '${[method.toUpperCase(), path, ...flags].join(' ')}',`;
  });
  const codes = Object.keys(errorCatalog).map((code) => `  | '${code}'`);
  return formatted(
    'operations.ts',
    `// Written by generate.ts.
/**
 * Each operation: method, path, and flags. \`body\`, \`query\`: it has one. \`csv\`: the body may be
 * CSV. \`keyed\`: it takes an Idempotency-Key. \`items=\`: the list in each of its pages.
 */
export const operationTable = {
${rows.join('\n')}
} as const;

/** The codes of errors, as \`GET /errors\` lists them. */
export type ErrorCode =
${codes.join('\n')};
`,
  );
}

function itemsOf(operation: Operation): string | undefined {
  if (!(operation.parameters ?? []).some(({ name }) => name === 'cursor')) return undefined;
  const schema = successOf(operation).content?.['application/json']?.schema;
  const own = schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  if (!own?.properties?.nextCursor) return undefined;
  const lists = Object.entries(own.properties).filter(([, { type }]) => type === 'array');
  if (lists.length !== 1) throw new Error(`${operation.operationId}: a page has one list`);
  return `items=${lists[0]?.[0]}`;
}

function formatted(name: string, text: string): string {
  const biome = ['node_modules/.bin/biome', 'format', `--stdin-file-path=${fileOf(name)}`] as const;
  return execFileSync(biome[0], biome.slice(1), {
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

function fileOf(name: string): string {
  return `packages/client/src/generated/${name}`;
}
