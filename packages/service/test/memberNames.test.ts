import { describe, expect, test } from 'vitest';
import { operationsOf } from '#kit/http/route.js';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { mainEngine } from './harness/engines.js';
import { givenSharedService } from './harness/givenService.js';
import { routeTable } from './harness/routeTable.js';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of members with names of the caller's own. */
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Detail {
  readonly path: string;
  readonly code: string;
  readonly expected?: unknown;
}

/** One object of a body: the steps to it, and the names that it takes. */
interface Place {
  readonly steps: readonly string[];
  readonly names: readonly string[];
}

const table = routeTable();
const document = await describeApi(() => table, 'http://localhost:3000')();
const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;

// Their standard says to ignore unknown parameters.
const FOREIGN = new Set(['POST /oid4vci/token', 'POST /oid4vci/credential']);

const operations = operationsOf(table)
  .filter(({ name, route }) => route.body && !route.textBody && !FOREIGN.has(name))
  .map(({ name, method, path, route }) => {
    const content = document.paths[path]?.[method.toLowerCase() as 'post']?.requestBody?.content ?? {};
    const type = route.form ? 'application/x-www-form-urlencoded' : 'application/json';
    return { name, method, path, route, type, places: placesOf(content[type]?.schema as Schema) };
  });

describe('a member of a body', () => {
  const service = givenSharedService(mainEngine);

  const send = ({ method, path, type, route }: (typeof operations)[number], body: object) => {
    const resolved = path.replace('/admin/platforms/{id}', `/admin/platforms/${service.platformId}`);
    return service.request(method, `!${resolved.replaceAll(/\{\w+\}/g, UNKNOWN_ID)}`, {
      admin: route.access.kind === 'operator',
      ...(route.access.kind === 'public' && { key: null }),
      headers: { 'Content-Type': type, Accept: 'application/json' },
      body: route.form ? new URLSearchParams(body as Record<string, string>).toString() : body,
    });
  };

  test('is looked at on every operation that has a body, at every depth', () => {
    expect(operations.length).toBeGreaterThan(50);
    const deepest = operations.flatMap(({ places }) => places.map(({ steps }) => steps.join('.')));
    expect(deepest).toEqual(
      expect.arrayContaining(['events.0', 'mapping.userId', 'mapping.metadata.own', 'rows.0']),
    );
    for (const { name, places } of operations) expect(places[0]?.names.length, name).toBeGreaterThan(0);
  });

  test.each(operations)('is refused if it is misspelt, and else taken: $name', async (operation) => {
    for (const { steps, names } of operation.places) {
      for (const name of names) {
        const forms = misspeltForms(name, names);
        // An answer in JSON names each of them.
        for (const wrong of operation.route.form ? forms.map((form) => [form]) : [forms]) {
          const body = { ...required(operation.places[0], steps), ...wrapped(steps, wrong) };
          const { status, text, body: said } = await send(operation, body);
          // Items of a list fail alone.
          expect(status === 400 || text.includes('"failedCount":1'), text).toBe(true);
          if (operation.route.form) continue;
          const details = detailsIn(said);
          for (const form of wrong) {
            const path = [...steps, form].join('.');
            const found = details.find((detail) => detail.path === path && detail.code === 'unrecognized');
            // `mappingI` may mean `mapping` as well as `mappingId`.
            const meant = names.filter((each) => name.startsWith(each));
            expect(meant, `${path}: ${text}`).toContain(found?.expected);
          }
        }
        const { text } = await send(operation, wrapped(steps, [name]));
        expect(text).not.toContain('"unrecognized"');
      }
    }
  });

  test('is known if the answer of the same resource has it', () => {
    for (const { method, path, places } of operations) {
      if (method !== 'PATCH') continue;
      const answer = document.paths[path]?.patch?.responses?.[200] as
        | { content: Record<string, { schema: Schema }> }
        | undefined;
      const own = places[0]?.names ?? [];
      const read = placesOf(answer?.content['application/json']?.schema ?? {})[0]?.names ?? [];
      const wrong = own.flatMap((name) => misspeltForms(name, own));
      expect(read.filter((name) => wrong.includes(name))).toEqual([]);
    }
  });

  test('is refused if it comes twice, whatever the operation writes', async () => {
    const body = '{"scopes":["scores"],"label":"a","scopes":["events"]}';
    const answer = await service.request('POST', '/platform/keys', { body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'scopes' }] } });
  });

  test('of the caller’s own is ignored, up to a thousand of them', async () => {
    const own = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`own_member_${at}`, at]));
    const create = (more: object) =>
      service.request('POST', '/platform/keys', { body: { scopes: ['scores'], ...more } });
    expect((await create(own(1000))).status).toBe(201);
    const answer = await create({ ...own(1001), expiresinDays: 5 });
    expect(answer.body.details).toMatchObject([{ code: 'too_big', expected: 1000 }]);
  });
});

const UNKNOWN_ID = '0199a3c2-9d10-7b44-8c2e-000000000007';

/** Forms of a name with one or two edits that are no other name: as people write them. */
function misspeltForms(name: string, names: readonly string[]): string[] {
  const mostEdits = Math.min(2, Math.ceil(name.length / 2) - 1);
  const middle = Math.floor(name.length / 2);
  const swapped = `${name.slice(0, middle - 1)}${name[middle]}${name[middle - 1]}${name.slice(middle + 1)}`;
  const one = [`${name}s`, name.slice(0, -1), name.slice(1), swapped];
  const two = [`x${name}x`, `${swapped}s`, name.slice(1, -1)];
  const cases = [name.toUpperCase(), name.replace(/[A-Z]/, (letter) => letter.toLowerCase())];
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (snake.length - name.length <= mostEdits) cases.push(snake);
  const forms = [...cases, ...(mostEdits >= 1 ? one : []), ...(mostEdits >= 2 ? two : [])];
  const known = new Set(names);
  return [...new Set(forms)].filter((form) => !known.has(form));
}

/** The errors in an answer, also those of its items. */
function detailsIn(value: unknown): Detail[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(detailsIn);
  return 'path' in value ? [value as Detail, ...inner] : inner;
}

/** Items of lists and mappings are looked at once the rest of the body is right. */
function required(top: Place | undefined, [within]: readonly string[]): object {
  const values = Object.entries({ name: 'x', csv: 'a\n1\n', records: [{}] });
  return within === undefined
    ? {}
    : Object.fromEntries(values.filter(([name]) => name !== within && top?.names.includes(name)));
}

function wrapped(steps: readonly string[], names: readonly string[]): object {
  const members = Object.fromEntries(names.map((name) => [name, 'x']));
  return steps.reduceRight<object>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), members);
}

function placesOf(schema: Schema, steps: readonly string[] = []): Place[] {
  const { $ref, properties, additionalProperties, items, anyOf, oneOf } = schema;
  if ($ref) return placesOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, steps);
  if (items) return placesOf(items, [...steps, '0']);
  const choices = anyOf ?? oneOf;
  if (choices) {
    const places = choices.flatMap((choice) => placesOf(choice, steps));
    const own = places.filter((place) => place.steps.length === steps.length);
    const inner = places.filter((place) => place.steps.length > steps.length);
    const names = [...new Set(own.flatMap((place) => place.names))];
    return names.length > 0 ? [{ steps, names }, ...inner] : inner;
  }
  if (!properties)
    return typeof additionalProperties === 'object' ? placesOf(additionalProperties, [...steps, 'own']) : [];
  const inner = Object.entries(properties).flatMap(([name, under]) => placesOf(under, [...steps, name]));
  return [{ steps, names: Object.keys(properties) }, ...inner];
}
