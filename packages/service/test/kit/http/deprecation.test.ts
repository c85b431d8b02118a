import { describe, expect, test } from 'vitest';
import { routeTable } from '#harness/routeTable.js';
import { ok } from '#kit/http/answer.js';
import { route } from '#kit/http/route.js';
import { documentOf, line, serverOf } from './answered.js';

const handle = () => ok({ answered: true });
const table = {
  'GET /old': route({
    ...line,
    operationId: 'readOld',
    deprecated: {
      since: new Date('2026-11-01T00:00:00Z'),
      sunset: new Date('2027-06-01T00:00:00Z'),
      link: 'https://scores.test/changelog#old',
      replacement: '`GET /new`',
    },
    handle,
  }),
  'GET /new': route({ ...line, operationId: 'readNew', handle }),
};

describe('a deprecated operation', () => {
  test('announces its dates and a link, and answers as before', async () => {
    const answer = await serverOf(table).inject('/api/v1/old');
    expect([answer.statusCode, answer.json()]).toEqual([200, { answered: true }]);
    expect(answer.headers).toMatchObject({
      deprecation: '@1793491200',
      sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
    });
    expect(answer.headers.link).toContain('<https://scores.test/changelog#old>; rel="deprecation"');
    expect(answer.headers.link).toContain('rel="sunset"');
  });

  test('is marked in the OpenAPI document, with its replacement', () => {
    const operation = documentOf(table).paths['/api/v1/old']?.get;
    expect(operation?.deprecated).toBe(true);
    expect(operation?.description).toContain('`GET /new`');
    const headers = Object.keys(operation?.responses['200']?.headers ?? {});
    expect(headers).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
  });

  test('leaves its neighbours without such headers', async () => {
    const { deprecation, sunset, link } = (await serverOf(table).inject('/api/v1/new')).headers;
    expect([deprecation, sunset, link]).toEqual([undefined, undefined, undefined]);
  });

  test('does not exist in v1', () => {
    expect(Object.values(routeTable()).filter((operation) => operation.deprecated)).toEqual([]);
  });
});
