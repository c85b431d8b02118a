import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { bodyProbes, LEFT_OUT, type Probe, valueProbes } from './harness/boundaryValues.js';
import { mainEngine } from './harness/engines.js';
import { operationsIn } from './harness/openapiCheck.js';
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

const operations = operationsIn(document).filter(({ name }) => !Object.hasOwn(READ_BY_THEMSELVES, name));

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

  /** What the service says of probes that it does not treat as documented. */
  async function faultsOf(
    placed: (typeof operations)[number],
    probes: Iterable<Probe>,
    changesOf: (probe: Probe) => Changes,
  ): Promise<string[]> {
    const faults: string[] = [];
    for (const probe of probes) {
      const answer = await ask(placed, changesOf(probe));
      const given = `${probe.path} ${String(probe.value).slice(0, 40)}`;
      if (!isAsDocumented(answer, probe))
        faults.push(`${given}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    return faults;
  }

  test.each(ofQueries)('in the query and headers: $field', async ({ parameter, ...placed }) => {
    const { name, schema, in: where } = parameter;
    const changesOf = ({ value }: Probe) => ({ [where]: { [name]: String(value) } });
    expect(await faultsOf(placed, valueProbes(schema, name), changesOf)).toEqual([]);
  });

  const withBody = operations.filter(({ operation }) => operation.requestBody?.content['application/json']);

  test.each(withBody)('in the body of $name', async (placed) => {
    const { schema = {}, example } = placed.operation.requestBody?.content['application/json'] ?? {};
    const changesOf = (probe: Probe) => ({ body: changed(example, probe) });
    expect(await faultsOf(placed, bodyProbes(document, schema, example), changesOf)).toEqual([]);
  });

  interface Changes {
    query?: Record<string, string>;
    header?: Record<string, string>;
    body?: unknown;
  }

  function ask({ method, path, operation }: (typeof operations)[number], changes: Changes) {
    const { parameters = [], requestBody, security } = operation;
    const read = method === 'GET' ? path.replace('/platforms/{id}', `/platforms/${platformId}`) : path;
    const filled = read.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
    );
    const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    const examples = required.map(({ name, example }) => [name, String(example)]);
    const query = new URLSearchParams({ ...Object.fromEntries(examples), ...changes.query });
    const json = requestBody?.content['application/json'];
    return service.request(method, `!${filled}?${query}`, {
      admin: security.some((scheme) => 'adminSecret' in scheme),
      headers: { 'accept-encoding': 'identity', ...changes.header },
      body: changes.body ?? json?.example,
    });
  }
});

/**
 * Outside: refused, as a whole or as one item. Inside: accepted, or refused because of another
 * field.
 */
function isAsDocumented({ status, body }: TestAnswer, { path, isInside }: Probe): boolean {
  const errors: { path: string; code: string }[] = Array.isArray(body?.details) ? body.details : [];
  const items: { status: string }[] = body?.results ?? [];
  if (!isInside) return status === 400 || items.some((item) => item.status === 'failed');
  // A value within its bounds may conflict with others. The rules of a mapping depend on its field and on the data.
  const isOfBounds = ({ code }: { code: string }) => code !== 'custom' && !path.startsWith('mapping.');
  const isRefused = errors.some((error) => error.path === path && isOfBounds(error));
  return status < 500 && (status !== 400 || !isRefused);
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
