import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { routeTable } from '#harness/routeTable.js';
import { atOnce } from '#kit/backpressure/yielder.js';
import { ok } from '#kit/http/answer.js';
import { mountRoutes } from '#kit/http/mount.js';
import { openApiSteps } from '#kit/http/openapi.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import { createServer } from '#kit/http/server.js';
import { Answered, openToAll } from './answered.js';

const table: RouteTable = {
  'GET /old': route({
    access: everyone,
    tag: 'Old',
    operationId: 'readOld',
    summary: 'An operation that ends',
    description: 'D',
    answers: { 200: Answered },
    deprecated: {
      since: new Date('2026-11-01T00:00:00Z'),
      sunset: new Date('2027-06-01T00:00:00Z'),
      link: 'https://scores.test/changelog#old',
      replacement: '`GET /new`',
    },
    handle: () => ok({ answered: true }),
  }),
  'GET /new': route({
    access: everyone,
    tag: 'Old',
    operationId: 'readNew',
    summary: 'An operation that stays',
    description: 'D',
    answers: { 200: Answered },
    handle: () => ok({ answered: true }),
  }),
};

function serve() {
  const server = createServer({ log: pino({ level: 'silent' }), methodsOf: () => [] });
  mountRoutes(server, table, { authenticator: openToAll });
  return server;
}

describe('a deprecated operation', () => {
  test('announces its dates and a link, and answers as before', async () => {
    const answer = await serve().inject('/api/v1/old');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ answered: true });
    expect(answer.headers).toMatchObject({
      deprecation: '@1793491200',
      sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
    });
    expect(answer.headers.link).toContain('<https://scores.test/changelog#old>; rel="deprecation"');
    expect(answer.headers.link).toContain('rel="sunset"');
  });

  test('is marked in the OpenAPI document, with its replacement', () => {
    const text = {
      baseUrl: 'https://scores.test',
      version: '1',
      title: 'T',
      description: 'D',
      tags: { Old: 'O' },
    };
    const operation = atOnce(openApiSteps(table, text)).paths['/api/v1/old']?.get;
    expect(operation?.deprecated).toBe(true);
    expect(operation?.description).toContain('`GET /new`');
    expect(Object.keys(operation?.responses['200']?.headers ?? {})).toEqual([
      'X-Request-Id',
      'X-Unknown-Parameters',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'RateLimit-Policy',
      'Deprecation',
      'Sunset',
      'Link',
    ]);
  });

  test('leaves its neighbours without such headers', async () => {
    const { headers } = await serve().inject('/api/v1/new');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['deprecation']));
    expect(headers.sunset ?? headers.link).toBeUndefined();
  });

  test('does not exist in v1', () => {
    expect(Object.values(routeTable()).filter((line) => line.deprecated)).toEqual([]);
  });
});
