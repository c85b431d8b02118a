import { pino } from 'pino';
import { z } from 'zod';
import { atOnce } from '#kit/backpressure/yielder.js';
import type { Authenticator } from '#kit/http/admission.js';
import { mountRoutes } from '#kit/http/mount.js';
import { openApiSteps } from '#kit/http/openapi.js';
import type { FieldTexts } from '#kit/http/openapiTexts.js';
import { everyone, type RouteTable } from '#kit/http/route.js';
import { createServer } from '#kit/http/server.js';

/** The response schema of test operations. */
export const Answered = z
  .object({ answered: z.boolean() })
  .meta({ id: 'TestAnswered', example: { answered: true } });

/** What an operation of a test has, except its handler. */
export const line = {
  access: everyone,
  operationId: 'doIt',
  tag: 'T',
  summary: 'S',
  description: 'D',
  answers: { 200: Answered },
};

/** Admits every request anonymously. */
export const openToAll: Authenticator = { identify: () => ({ kind: 'public' }), authorize: () => undefined };

/** A server without a port that answers these operations to everybody. */
export function serverOf(table: RouteTable, log = pino({ level: 'silent' })) {
  const server = createServer({ log, methodsOf: () => [] });
  mountRoutes(server, table, { authenticator: openToAll });
  return server;
}

/** The OpenAPI document of these operations. */
export function documentOf(table: RouteTable, fields?: FieldTexts) {
  const text = {
    baseUrl: 'https://scores.test',
    version: '1',
    title: 'T',
    description: 'D',
    tags: { T: 'A tag.' },
  };
  return atOnce(openApiSteps(table, { ...text, ...(fields && { fields }) }));
}
