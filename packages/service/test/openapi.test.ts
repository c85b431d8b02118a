import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FORMULA_VERSION } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { atOnce } from '#kit/backpressure/yielder.js';
import { openApiSteps, withSharedErrors } from '#kit/http/openapi.js';
import type { JsonSchema, OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { readExamples, readFieldTexts } from '#kit/http/openapiTexts.js';
import idSources from '../data/idSources.json' with { type: 'json' };
import { apiText } from '../src/features/system/system/describeApi.js';
import { checkAnswer, errorsOf, operationsIn } from './harness/openapiCheck.js';
import { routeTable } from './harness/routeTable.js';

const table = routeTable();
const text = { ...apiText('http://localhost:3000'), fields: readFieldTexts(), examples: readExamples() };
const document = atOnce(openApiSteps(table, text));
const operations = operationsIn(document);

describe('the OpenAPI document', () => {
  test('passes the linter without a warning', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(withSharedErrors(document)));
    const { problems, totals } = await lint(file).finally(() => rmSync(folder, { recursive: true }));
    expect(problems).toEqual([]);
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  });

  test('writes equal error answers once when served, and loses none', () => {
    const sent = withSharedErrors(document) as OpenApiDocument & {
      components: { responses: Record<string, object> };
    };
    const paths = JSON.parse(JSON.stringify(sent.paths), (_, value) => {
      const name = /^#\/components\/responses\/(.+)$/.exec(value?.$ref)?.[1];
      return name === undefined ? value : sent.components.responses[name];
    });
    expect(paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
    expect(JSON.stringify(sent).length).toBeLessThan(JSON.stringify(document).length * 0.8);
  });

  test('describes every route of the table', () => {
    expect(operations).toHaveLength(Object.keys(table).length);
  });

  test('names operations like client methods, with a prefix for those of the operator', () => {
    const misnamed = operations.filter(({ path, name }) => {
      const isNamedForOperator = /^admin[A-Z]/.test(name);
      return !/^[a-z]+([A-Z][a-z0-9]*)+$/.test(name) || isNamedForOperator !== path.includes('/admin/');
    });
    expect(misnamed).toEqual([]);
  });

  test('describes every tag', () => {
    expect(document.tags.filter(({ description }) => description === '')).toEqual([]);
  });

  test.each(operations)('describes the input of $name', ({ operation }) => {
    expect(operation.summary).not.toBe('');
    expect(operation.description.length, 'a description that helps').toBeGreaterThan(40);
    for (const { name, description, schema, example } of operation.parameters ?? []) {
      expect(description, `the description of ${name}`).toBeTruthy();
      if (example !== undefined) expect(errorsOf(document, schema, example), name).toBeNull();
    }
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
      expect(example, 'an example of the body').toBeDefined();
      expect(errorsOf(document, schema, example)).toBeNull();
    }
  });

  test.each(operations)('describes the answers of $name', ({ path, method, operation }) => {
    const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
    expect(successes.length).toBeGreaterThan(0);
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      for (const [type, media] of Object.entries(content)) {
        const codes = Object.keys(media.examples ?? {});
        const examples =
          codes.length > 0 ? codes.map((code) => document.components.examples[code]?.value) : [media.example];
        for (const example of examples) {
          expect(example, `an example of ${status} as ${type}`).toBeDefined();
          checkAnswer(document, method, path, Number(status), example, type);
        }
      }
    }
  });

  test('links operations that create an id with those that take it', () => {
    const links = document.paths['/api/v1/webhooks/{id}/test']?.post?.responses['200']?.links;
    expect(links?.replayDelivery).toEqual({
      operationId: 'replayDelivery',
      parameters: { id: '$request.path.id', deliveryId: '$response.body#/id' },
    });
  });

  test('names existing operations as creators of ids', () => {
    const names = new Set(operations.map(({ name }) => name));
    expect(Object.values(idSources).filter((source) => !names.has(source.split('/')[0] ?? ''))).toEqual([]);
  });

  test('describes every schema and every field', () => {
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      ...(schema.description ? [] : [name]),
      ...undescribedFields(schema, name),
    ]);
    expect(undescribed).toEqual([]);
  });

  test('has a place for every text and every example of data/', () => {
    expect(text.fields.unused()).toEqual([]);
    expect(text.examples.unused()).toEqual([]);
  });

  test('has examples of the current formula', () => {
    const versions = JSON.stringify(document).matchAll(/"formulaVersion":"([^"]+)"/g);
    const examples = [...versions].map(([, version]) => version).filter((version) => !version?.includes(':'));
    expect(examples.length).toBeGreaterThan(10);
    expect(new Set(examples)).toEqual(new Set([FORMULA_VERSION]));
  });

  test('has no deprecation', () => {
    expect(operations.filter(({ operation }) => operation.deprecated)).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"Sunset"|"Deprecation"/);
  });
});

describe('the check of answers', () => {
  const right = { status: 'ok' };
  const conflict = { error: 'x', code: 'CONFLICT', requestId: 'x', retryable: false };
  const check = (status: number, body: unknown, type = 'application/json; charset=utf-8') =>
    checkAnswer(document, 'GET', '/health?x=1', status, body, type);

  test('accepts a documented answer', () => expect(check(200, right)).toBeUndefined());

  test.each<[what: string, status: number, body: object, message: RegExp, type?: string]>([
    ['an undocumented field', 200, { ...right, secret: 1 }, /secret/],
    ['a missing field', 200, {}, /status/],
    ['an unknown status', 202, right, /202/],
    ['another media type', 200, right, /text\/html/, 'text/html'],
    ['an error code that the operation does not name', 400, conflict, /CONFLICT/],
  ])('refuses %s', (_, status, body, message, type) => {
    expect(() => check(status, body, type)).toThrow(message);
  });
});

/**
 * The paths of fields without a description at any depth. A referenced schema has its own
 * description.
 */
function undescribedFields(schema: JsonSchema, path: string): string[] {
  const within = [schema.items, schema.additionalProperties, schema.anyOf, schema.oneOf, schema.allOf].flat();
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return [
    ...within
      .filter((part) => typeof part === 'object')
      .flatMap((part) => undescribedFields(part as JsonSchema, path)),
    ...fields.flatMap(([name, field]) => [
      ...(field.description || field.$ref ? [] : [`${path}.${name}`]),
      ...undescribedFields(field, `${path}.${name}`),
    ]),
  ];
}

async function lint(file: string): Promise<{ totals: object; problems: object[] }> {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const cli = join(cwd, 'node_modules/.bin/redocly');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const linted = promisify(execFile)(cli, ['lint', '--format=json', file], { cwd, env });
  const { stdout } = await linted.catch((error) => error);
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}
