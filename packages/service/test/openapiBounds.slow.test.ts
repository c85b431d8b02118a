import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationObject, ParameterObject } from '#kit/http/openapiSchemas.js';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { bodyProbes, LEFT_OUT, type Probe, valueProbes } from './harness/boundaryValues.js';
import { mainEngine } from './harness/engines.js';
import { routeTable } from './harness/routeTable.js';
import { startTestService, type TestAnswer, type TestService } from './harness/service.js';

const table = routeTable();
const document = await describeApi(() => table, 'http://localhost:3000')();

/** These operations parse their fields themselves and have their own error texts. */
const READ_BY_THEMSELVES: Readonly<Record<string, string>> = {
  respondToConfirmation: 'a wrong token comes first: 401',
  respondToReference: 'a wrong token comes first: 401',
  previewConfirmation: 'a missing token is a wrong one: 401',
  previewReference: 'a missing token is a wrong one: 401',
  answerConfirmationPage: 'a page says what is wrong',
  answerReferencePage: 'a page says what is wrong',
  readLogConsistency: 'the newest checkpoint bounds both sizes',
  readGroupLogConsistency: 'the newest checkpoint bounds both sizes',
  fetchCredential: 'a missing access token comes first: 401',
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !Object.hasOwn(READ_BY_THEMSELVES, operationId))
    .map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
    })),
);

describe('the service enforces the bounds of the OpenAPI document', () => {
  let service: TestService;
  let platformId: string;

  beforeAll(async () => {
    service = await startTestService(mainEngine, {
      env: { SMTP_URL: 'smtp://127.0.0.1:2525', SMTP_FROM: 'scores@example.com' },
    });
    const [platform] = (await service.request('GET', '/admin/platforms', { admin: true })).body.platforms;
    platformId = platform.id;
    const unlimited = { plan: 'enterprise', rateLimitPerMinute: 0 };
    await service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: unlimited });
  });
  afterAll(() => service?.close());

  const ofQueries = operations.flatMap((placed) =>
    (placed.operation.parameters ?? [])
      .filter((parameter) => parameter.in !== 'path')
      .map((parameter) => ({ ...placed, parameter, field: `${placed.name}, ${parameter.name}` })),
  );

  test.each(ofQueries)('in the query and headers: $field', async ({ method, path, operation, parameter }) => {
    const wrong: string[] = [];
    for (const probe of valueProbes(parameter.schema, parameter.name)) {
      const answer = await ask(method, path, operation, {
        [parameter.in]: { [parameter.name]: String(probe.value) },
      });
      if (!isAsDocumented(answer, probe))
        wrong.push(`${String(probe.value).slice(0, 40)}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
  });

  const withBody = operations.filter(({ operation }) => operation.requestBody?.content['application/json']);

  test.each(withBody)('in the body of $name', async ({ method, path, operation }) => {
    const media = operation.requestBody?.content['application/json'];
    const wrong: string[] = [];
    for (const probe of bodyProbes(document, media?.schema ?? {}, media?.example)) {
      const answer = await ask(method, path, operation, { body: changed(media?.example, probe) });
      if (!isAsDocumented(answer, probe)) {
        wrong.push(
          `${probe.path} ${String(probe.value).slice(0, 40)}: ${answer.status} ${answer.text.slice(0, 300)}`,
        );
      }
    }
    expect(wrong).toEqual([]);
  });

  interface Changes {
    query?: Record<string, string>;
    header?: Record<string, string>;
    body?: unknown;
  }

  function ask(
    method: string,
    path: string,
    operation: OperationObject,
    changes: Changes,
  ): Promise<TestAnswer> {
    const { parameters = [], requestBody, security } = operation;
    const filled = path
      .replace(
        '/admin/platforms/{id}',
        method === 'GET' ? `/admin/platforms/${platformId}` : '/admin/platforms/{id}',
      )
      .replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
      );
    const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    const query = new URLSearchParams({ ...Object.fromEntries(required.map(exampleOf)), ...changes.query });
    const json = requestBody?.content['application/json'];
    return service.request(method, `!${filled}?${query}`, {
      admin: security.some((scheme) => 'adminSecret' in scheme),
      headers: { 'accept-encoding': 'identity', ...changes.header },
      body: changes.body ?? json?.example,
    });
  }
});

function exampleOf({ name, example }: ParameterObject): [string, string] {
  return [name, String(example)];
}

/**
 * Outside: refused, as a whole or as one item. Inside: accepted, or refused because of another
 * field.
 */
function isAsDocumented({ status, body }: TestAnswer, { path, isInside }: Probe): boolean {
  const errors: Detail[] = Array.isArray(body?.details) ? body.details : [];
  if (isInside)
    return (
      status < 500 && (status !== 400 || !errors.some((error) => error.path === path && isOfBounds(error)))
    );
  const failed = (body?.results as { status: string }[] | undefined)?.some(
    (item) => item.status === 'failed',
  );
  return status === 400 || failed === true;
}

interface Detail {
  path: string;
  code: string;
}

/**
 * A value within its bounds may conflict with others. The rules of a mapping depend on its field
 * and on the data.
 */
function isOfBounds({ path, code }: Detail): boolean {
  return code !== 'custom' && !path.startsWith('mapping.');
}

/** The example with one value replaced. */
function changed(example: unknown, { path, value }: Probe): unknown {
  const copy = structuredClone(example ?? {}) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((inner, name) => {
    inner[name] ??= {};
    return inner[name] as Record<string, unknown>;
  }, copy);
  if (value === LEFT_OUT) delete holder[last];
  else holder[last] = value;
  return copy;
}
