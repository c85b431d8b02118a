import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { ok } from '#kit/http/answer.js';
import { type RouteTable, route } from '#kit/http/route.js';
import { documentOf, line, serverOf } from './answered.js';

const Form = z.object({ name: z.unknown() }).meta({ id: 'FormOfTheTest', example: { name: 'a' } });
const table: RouteTable = {
  'POST /form-of-the-test': route({
    ...line,
    operationId: 'operation1',
    form: true,
    body: Form,
    handle: ({ body }) => ok({ answered: true, ...body }),
  }),
  'POST /json-of-the-test': route({
    ...line,
    operationId: 'operation2',
    body: Form,
    handle: () => ok({ answered: true }),
  }),
  'GET !/page-of-the-test': route({
    ...line,
    operationId: 'operation3',
    query: z.object({ fault: z.enum(['refused', 'broken', 'none']) }),
    errorPage: ({ code, status }, { requestId, query }) => ({
      status,
      body: `<p>${code} ${requestId} ${JSON.stringify(query)}</p>`,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    }),
    handle({ query }) {
      if (query.fault === 'refused') fail('CONFLICT', { headers: { 'Retry-After': '7' } });
      if (query.fault === 'broken') throw new Error('a secret of the inside');
      return ok({ answered: true });
    },
  }),
};

const logged: string[] = [];
const log = pino({ level: 'info' }, { write: (text: string) => void logged.push(text) });
const server = serverOf(table, log);

const post = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  server.inject({ method: 'POST', url: `/api/v1${url}`, payload, headers: { 'content-type': type } });

describe('a route with a form', () => {
  test('reads its fields, and a repeated one as a list', async () => {
    expect((await post('/form-of-the-test', 'name=a+b%26c')).json()).toMatchObject({ name: 'a b&c' });
    expect((await post('/form-of-the-test', 'name=a&name=b&__proto__=x')).json()).toMatchObject({
      name: ['a', 'b'],
    });
    const typed = await post(
      '/form-of-the-test',
      'name=%C3%A4',
      'application/x-www-form-urlencoded; charset=UTF-8',
    );
    expect(typed.json()).toMatchObject({ name: 'ä' });
  });

  test('accepts no JSON, and a JSON route accepts no form', async () => {
    const json = await post('/form-of-the-test', '{"name":"a"}', 'application/json');
    const form = await post('/json-of-the-test', 'name=a');
    for (const { statusCode, body } of [json, form])
      expect([statusCode, JSON.parse(body).code]).toEqual([400, 'BAD_REQUEST']);
  });

  test('refuses texts that cannot be stored', async () => {
    const { statusCode, body } = await post('/form-of-the-test', 'name=%00');
    expect([statusCode, JSON.parse(body).code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('documents its form in the OpenAPI document', () => {
    const { paths } = documentOf(table);
    const body = paths['/api/v1/form-of-the-test']?.post?.requestBody;
    expect(Object.keys(body?.content ?? {})).toEqual(['application/x-www-form-urlencoded']);
    const faults = paths['/page-of-the-test']?.get?.responses['500']?.content;
    expect(Object.keys(faults ?? {})).toEqual(['text/html', 'application/json']); // as its answers are JSON
  });
});

describe('a route with an error page', () => {
  test.each([
    ['refused', 409, 'CONFLICT'],
    ['broken', 500, 'INTERNAL_ERROR'],
    ['unknown', 400, 'VALIDATION_ERROR'],
  ])('answers with it when it is %s, and logs that once', async (fault, status, code) => {
    logged.length = 0;
    const headers = { 'x-request-id': 'request-of-the-test' };
    const answer = await server.inject({ url: `/page-of-the-test?fault=${fault}`, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['x-request-id']).toBe('request-of-the-test');
    expect(answer.headers['retry-after']).toBe(fault === 'refused' ? '7' : undefined);
    expect(answer.body).toBe(`<p>${code} request-of-the-test {"fault":"${fault}"}</p>`);
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ code, status, route: '/page-of-the-test' });
  });

  test('cannot be read by the scripts of other websites', async () => {
    const page = await server.inject('/page-of-the-test?fault=none');
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
    const other = await post('/json-of-the-test', '{"name":1}', 'application/json');
    expect(other.headers['access-control-allow-origin']).toBe('*');
  });
});
