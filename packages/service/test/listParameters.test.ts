import { describe, expect, test } from 'vitest';
import { API_PREFIX } from '#kit/http/route.js';
import { describeApi } from '../src/features/system/system/describeApi.js';
import { mainEngine } from './harness/engines.js';
import { givenSharedService } from './harness/givenService.js';
import { routeTable } from './harness/routeTable.js';

const table = routeTable();
const document = await describeApi(() => table, 'http://localhost:3000')();

/** Every query parameter of every read: its path and an invalid value. */
const queries = Object.entries(document.paths).flatMap(([path, { get }]) =>
  (get?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => ({ path, name, schema })),
);
const refused = queries.flatMap(({ path, name, schema }) => {
  const values = schema.enum || schema.format === 'uuid' ? ['no-such-value', ''] : [];
  if (name === 'limit' && schema.maximum) values.push('0', String(Number(schema.maximum) + 1), 'many', '1.5');
  // A list below an id answers 404 first, because nothing has this id.
  const isBelowId = path.replace('/admin/platforms/{id}', '').includes('{');
  const isIgnored = path.endsWith('/users/summary');
  if (name === 'cursor' && !isBelowId && !isIgnored) values.push('nonsense', 'e30', '!');
  return values.map((value) => ({ path, name, value }));
});

describe('a parameter of a read', () => {
  const service = givenSharedService(mainEngine);

  test('covers every list', () => {
    expect(refused.length).toBeGreaterThan(100);
  });

  test('is at most 100 where it is the size of a page, with these exceptions', () => {
    const limits = queries
      .filter(({ name }) => name === 'limit')
      .map(({ path, schema }) => `${path.slice(API_PREFIX.length)} ${schema.minimum} to ${schema.maximum}`);
    expect(limits.filter((limit) => !limit.endsWith(' 1 to 100'))).toEqual([
      '/events/export 1 to 1000',
      '/users/{id}/score/course 1 to 366',
      '/users 1 to 1000',
      '/users/summary undefined to undefined', // ignored
      '/analytics/movers 1 to 50',
    ]);
  });

  test.each(refused)('$name=$value is refused by $path', async ({ path, name, value }) => {
    const resolved = path.replaceAll(/\{\w+\}/g, service.platformId);
    const address = resolved.startsWith(API_PREFIX) ? resolved.slice(API_PREFIX.length) : `!${resolved}`;
    const query = `?${name}=${encodeURIComponent(value)}`;
    const admin = address.startsWith('/admin/');
    const answer = await service.request('GET', address + query, { admin });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(name)]);
  });
});
