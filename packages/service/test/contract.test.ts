import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCatalog } from '#domain/errorCatalog.js';
import { groupBy } from '#kit/lists.js';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { linesOf } from './data/linesOf.js';
import { type Contract, contractOf } from './harness/contractOf.js';
import { routeTable } from './harness/routeTable.js';

const FILE = 'contract.tsv';
const NOTE = `# What v1 promises (RULES Y2): a line for each operation and envelope, with the schemas that it is the first to name.
# harness/contractOf.ts explains the cells. Recording (npm run generate:contract) adds what is new and removes nothing.`;

const document = await describeApi(routeTable, 'http://localhost:3000')();
const errors = Object.entries(errorCatalog).map(([code, { status }]) => `${code}:${status}`);
const current: Contract = new Map([...contractOf(document), ['GET /errors', new Set(errors)]]);
const recorded = readContract();
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
  const contractWith = (...facts: string[]): Contract => new Map([['a', new Set(['body:object', ...facts])]]);
  const known = contractWith('body.name?:string(..9)', 'query.by?:day');

  test.each([
    ['a smaller bound', contractWith('body.name?:string(..8)', 'query.by?:day'), 'a body.name?:string(..9)'],
    ['a demand', contractWith('body.name:string(..9)', 'query.by?:day'), 'a body.name?:string(..9)'],
    ['a value that is gone', contractWith('body.name?:string(..9)'), 'a query.by?:day'],
  ])('names %s', (_, after, fact) => {
    expect(missingFrom(after, known)).toEqual([fact]);
  });

  test('names a new member of a body that is demanded, and no other', () => {
    expect(
      demandsOf(contractWith('body.age?:integer', 'body.more?:object', 'body.more?.b:string'), known),
    ).toEqual([]);
    expect(demandsOf(contractWith('body.age:integer', 'body.more?:object'), known)).toEqual([
      'a body.age:integer',
    ]);
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
    const name = schemaIn(fact);
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

function schemaIn(fact: string): string {
  return valueIn(fact).replace(/^#/, '');
}

/** A cell `>Policy` begins what belongs to a name; each other has a place with all its values. */
function readContract(): Contract {
  const contract = new Map<string, Set<string>>();
  let name = '';
  for (const cell of linesOf(FILE).flat()) {
    if (cell.startsWith('>')) name = cell.slice(1);
    const values = cell.includes(':') ? valueIn(cell).split('|') : [];
    const facts = values.length > 0 ? values.map((value) => `${placeOf(cell)}:${value}`) : [cell];
    contract.set(name, new Set([...(contract.get(name) ?? []), ...(cell.startsWith('>') ? [] : facts)]));
  }
  return contract;
}

function record(): void {
  expect([...broken, ...demanded], 'nothing was recorded').toEqual([]);
  const written = new Set<string>();
  const cellsOf = (name: string): string[] => {
    if (written.has(name) || !current.has(name)) return [];
    written.add(name);
    const facts = [...(current.get(name) ?? [])];
    const places = groupBy(facts, (fact) => (fact.includes(':') ? placeOf(fact) : fact));
    const cells = [...places].map(([place, all]) =>
      all.includes(place) ? place : `${place}:${all.map(valueIn).join('|')}`,
    );
    return [`>${name}`, ...cells, ...facts.flatMap((fact) => cellsOf(schemaIn(fact)))];
  };
  const lines = [...current.keys()].map((name) => cellsOf(name).join('\t')).filter((line) => line !== '');
  writeFileSync(new URL(`data/${FILE}`, import.meta.url), `${NOTE}\n${lines.join('\n')}\n`);
}
