import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Access } from '#kit/http/route.js';
import { routeTable } from './harness/routeTable.js';

interface Endpoint {
  name: string;
  access: string;
  scope: string;
}

const endpoints: Endpoint[] = linesOf('endpoints.tsv').map(([method, path, access = '', scope = '']) => ({
  name: `${method} ${path}`,
  access,
  scope,
}));
const pending = linesOf('pending-operations.tsv').map(([name = '']) => name);
/** Pages and files of the documentation, which are no operations of the interface. */
const pagesOfOurs = [
  'GET !/docs/verify-embed',
  'GET !/docs/trust-badge',
  'GET !/docs/{rest}',
  'GET !/docs/changelog.xml',
  'GET !/llms.txt',
];
const table = routeTable();

describe('the route table', () => {
  test('contains exactly the operations of the interface, except planned ones', () => {
    const expected = endpoints.map(({ name }) => name).filter((name) => !pending.includes(name));
    expect(Object.keys(table).sort()).toEqual([...expected, ...pagesOfOurs].sort());
  });

  test('contains no operation listed as planned', () => {
    expect(pending.filter((name) => name in table)).toEqual([]);
  });

  test('lists as planned only operations of the interface, once each', () => {
    const names = endpoints.map(({ name }) => name);
    expect(pending.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(pending).size).toBe(pending.length);
  });

  test.each(endpoints.filter(({ name }) => name in table))(
    'opens $name to whom the interface names',
    ({ name, access, scope }) => {
      expect(accessText(table[name]?.access)).toBe(expectedAccess(access, scope));
    },
  );
});

/**
 * A token in the path is the capability itself, so these operations are open to everyone who has
 * it.
 */
function expectedAccess(access: string, scope: string): string {
  switch (access) {
    case 'public':
    case 'token':
      return 'everyone';
    case 'admin':
      return 'operator';
    case 'key':
    case 'testkey':
      return `key ${scope}`;
    default:
      throw new Error(`unknown kind of access: ${access}`);
  }
}

/** In the notation of the list: `scores`, `scores(read)`, or `any` for every valid key. */
function accessText(access: Access | undefined): string {
  switch (access?.kind) {
    case 'public':
      return 'everyone';
    case 'operator':
      return 'operator';
    case 'key': {
      if (!access.scope) return 'key any';
      const { resource, action } = access.scope;
      return `key ${resource}${action === 'byMethod' ? '' : `(${action})`}`;
    }
    case undefined:
      return 'not mounted';
  }
}

function linesOf(file: string): string[][] {
  const text = readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
