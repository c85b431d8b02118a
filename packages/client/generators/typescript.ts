import { execFileSync } from 'node:child_process';
import openapiTS, { astToString } from 'openapi-typescript';
import { errorCatalog } from '../../service/src/domain/errorCatalog.js';
import type { OpenApiDocument, OperationObject } from '../../service/src/kit/http/openapiSchemas.js';
import { mapValues } from '../../service/src/kit/lists.js';
import { type ClientModel, isForPrograms } from '../../service/src/pages/docs/clientModel.js';

/** Types of parameters, bodies and JSON answers. Errors have one form, so they are left out. */
export async function schemaTypes(document: OpenApiDocument): Promise<string> {
  const { paths, components } = withoutExamples(document) as OpenApiDocument;
  const kept = mapValues(paths, (methods, path) =>
    Object.fromEntries(
      Object.entries(methods)
        .filter(([, operation]) => isForPrograms(path, operation))
        .map(([method, operation]) => [method, slim(operation)]),
    ),
  );
  const nodes = await openapiTS(
    JSON.stringify({ ...document, paths: kept, webhooks: {}, components: { schemas: components.schemas } }),
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

function slim(operation: OperationObject): OperationObject {
  const [[status, success] = []] = Object.entries(operation.responses).filter(([code]) =>
    code.startsWith('2'),
  );
  const { headers: _, ...answer } = success ?? { description: '' };
  return {
    ...operation,
    parameters: (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header'),
    responses: status ? { [status]: answer } : operation.responses,
  };
}

/** What the client has to know of an operation while it runs. */
export function operationTable({ operations }: ClientModel): string {
  const rows = operations.map(({ id, method, path, body, query, isKeyed, items }) => {
    const flags = [
      body && (body.takesCsv ? 'body csv' : body.mediaType === 'text/plain' ? 'body plain' : 'body'),
      query && 'query',
      isKeyed && 'keyed',
      items && `items=${items.name}`,
    ].filter(Boolean);
    return `  ${id}: '${[method, path, ...flags].join(' ')}',`;
  });
  const codes = Object.keys(errorCatalog).map((code) => `  | '${code}'`);
  return formatted(`// Written by generate.ts.
/**
 * Each operation: method, path, and flags. \`body\`, \`query\`: it has one. \`csv\`: the body may be
 * CSV. \`plain\`: the body is a text. \`keyed\`: it takes an Idempotency-Key. \`items=\`: the list in
 * each of its pages.
 */
export const operationTable = {
${rows.join('\n')}
} as const;

/** The codes of errors, as \`GET /errors\` lists them. */
export type ErrorCode =
${codes.join('\n')};
`);
}

function formatted(text: string): string {
  return execFileSync('node_modules/.bin/biome', ['format', '--stdin-file-path=operations.ts'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}
