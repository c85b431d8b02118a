import { describe, expect, test } from 'vitest';
import type { Access } from '#kit/http/route.js';
import { linesOf } from './data/linesOf.js';
import { routeTable } from './harness/routeTable.js';

const endpoints = linesOf('endpoints.tsv').map(([method, path, access = '', scope = '']) => ({
  name: `${method} ${path}`,
  access,
  scope,
}));
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
  test('contains exactly the operations of the interface', () => {
    const expected = [...endpoints.map(({ name }) => name), ...pagesOfOurs];
    expect(Object.keys(table).sort()).toEqual(expected.sort());
  });

  test.each(endpoints)('opens $name to whom the interface names', ({ name, access, scope }) => {
    expect(accessText(table[name]?.access)).toBe(expectedAccess[access]?.(scope));
  });
});

const expectedAccess: Readonly<Record<string, (scope: string) => string>> = {
  public: () => 'everyone',
  // The token in the path is the capability itself.
  token: () => 'everyone',
  admin: () => 'operator',
  key: (scope) => `key ${scope}`,
  testkey: (scope) => `key ${scope}`,
};

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
