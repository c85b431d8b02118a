import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCatalog } from '#domain/errorCatalog.js';
import { groupBy } from '#kit/lists.js';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { linesOf } from './data/linesOf.js';
import { type Contract, contractOf } from './harness/contractOf.js';
import { routeTable } from './harness/routeTable.js';

const FILE = 'contract.tsv';
const NOTE = `# What v1 promises (RULES Y2), a line for each operation, envelope and schema: harness/contractOf.ts explains its cells.
# Recording (npm run generate:contract) adds what is new. It removes nothing: that breaks a promise to callers.`;

const document = await describeApi(routeTable, 'http://localhost:3000')();
const errors = Object.entries(errorCatalog).map(([code, { status }]) => `${code}:${status}`);
const current: Contract = new Map([['GET /errors', new Set(errors)], ...contractOf(document)]);
const recorded: Contract = new Map(
  linesOf(FILE).map(([name = '', ...cells]) => [name, new Set(cells.flatMap(factsOfCell))]),
);
const broken = missingFrom(current, recorded);
const demanded = demandsOf(current, recorded);

describe('v1', () => {
  test('is in the path of every operation, and nothing else chooses a version', () => {
    const versions = Object.keys(document.paths).flatMap((path) => path.match(/\/v\d+(?=\/|$)/g) ?? []);
    expect(new Set(versions)).toEqual(new Set(['/v1']));
    const atRoot = Object.keys(document.paths).filter((path) => !path.startsWith('/api/v1/'));
    expect(atRoot.filter((path) => path.startsWith('/api'))).toEqual([]);
    const chosen = [...current].flatMap(([name, facts]) => [...facts].map((fact) => `${name} ${fact}`));
    expect(chosen.filter((fact) => /^\S+ (?:header|query)\.[^:]*version/i.test(fact))).toEqual([]);
  });

  test('keeps every operation, input, bound, status, error, member and value', () => {
    expect(broken).toEqual([]);
  });

  test('asks for nothing that it did not ask for before', () => {
    expect(demanded).toEqual([]);
  });

  test('is recorded whole', () => {
    if (process.env.RECORD_CONTRACT === '1') return record();
    expect(missingFrom(recorded, current), 'record it: npm run generate:contract').toEqual([]);
  });
});

describe('the comparison', () => {
  const schema = (properties: object, required: string[]) => ({ type: 'object', properties, required });
  const contract = (name: object, required = ['name']) =>
    contractOf({
      paths: {
        '/a': {
          post: {
            operationId: 'a',
            security: [],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: schema({ name }, required) } },
            },
            responses: { 200: {} },
          },
        },
      },
      webhooks: {},
      components: { schemas: {} },
    } as unknown as typeof document);
  const before = contract({ type: 'string', maxLength: 9 }, []);

  test.each([
    ['a smaller bound', contract({ type: 'string', maxLength: 8 }, []), 'a body.name?:string(..9)'],
    ['another type', contract({ type: 'integer', maximum: 9 }, []), 'a body.name?:string(..9)'],
    ['a demand', contract({ type: 'string', maxLength: 9 }), 'a body.name?:string(..9)'],
  ])('names %s', (_, after, fact) => {
    expect(missingFrom(after, before)).toEqual([fact]);
  });

  test('names a new member of a body if it is demanded', () => {
    const facts = [...(before.get('a') ?? [])].filter((fact) => !fact.startsWith('body.'));
    const nameless: Contract = new Map([['a', new Set(facts)]]);
    expect(demandsOf(before, nameless)).toEqual([]);
    expect(demandsOf(contract({ type: 'integer' }), nameless)).toEqual(['a body.name:integer']);
  });
});

/** Facts of the second contract that the first lacks. */
function missingFrom(contract: Contract, other: Contract): string[] {
  return [...other].flatMap(([name, facts]) =>
    [...facts].filter((fact) => !contract.get(name)?.has(fact)).map((fact) => `${name} ${fact}`),
  );
}

/** New members of requests that a caller who knows only the second contract does not send. */
function demandsOf(contract: Contract, known: Contract): string[] {
  const asked = schemasAskedFor(contract);
  return [...contract].flatMap(([name, facts]) => {
    const places = new Set([...(known.get(name) ?? [])].map(placeOf));
    const isAsked = (place: string) => asked.has(name) || isOfRequest(place);
    const isNew = (place: string) => {
      const [, around = '', member] = /^(.*?)(?:\.(\w+))?$/.exec(place) ?? [];
      const isWithinKnown = /^(?:query|header|path)?$/.test(around) || places.has(around);
      return !places.has(place) && isWithinKnown && (member !== undefined || place === 'body');
    };
    const added = [...facts].filter((fact) => isAsked(placeOf(fact)) && isNew(placeOf(fact)));
    return known.has(name) ? added.map((fact) => `${name} ${fact}`) : [];
  });
}

/** The schemas of bodies, and those that they name. */
function schemasAskedFor(contract: Contract): Set<string> {
  const asked = new Set<string>();
  const visit = (fact: string) => {
    const name = valueIn(fact).replace(/^#/, '');
    if (!contract.has(name) || asked.has(name)) return;
    asked.add(name);
    contract.get(name)?.forEach(visit);
  };
  for (const facts of contract.values()) [...facts].filter(isOfRequest).forEach(visit);
  return asked;
}

function isOfRequest(fact: string): boolean {
  return /^(?:body|query|header|path)\b/.test(fact);
}

function placeOf(fact: string): string {
  return fact.slice(0, fact.indexOf(':'));
}

function valueIn(fact: string): string {
  return fact.slice(fact.indexOf(':') + 1);
}

/** A cell has all values of a place: `.status:PENDING|CONFIRMED`. */
function factsOfCell(cell: string): string[] {
  if (!cell.includes(':')) return [cell];
  return valueIn(cell)
    .split('|')
    .map((value) => `${placeOf(cell)}:${value}`);
}

function record(): void {
  expect([...broken, ...demanded], 'nothing was recorded').toEqual([]);
  const lines = [...current].map(([name, facts]) => {
    const places = groupBy([...facts], (fact) => (fact.includes(':') ? placeOf(fact) : fact));
    const cells = [...places].map(([place, all]) =>
      all.includes(place) ? place : `${place}:${all.map(valueIn).join('|')}`,
    );
    return [name, ...cells].join('\t');
  });
  writeFileSync(new URL(`data/${FILE}`, import.meta.url), `${NOTE}\n${lines.join('\n')}\n`);
}
