import type { z } from 'zod';
import { isMediaAnswer, type MediaAnswer } from './answer.js';
import { FORM_TYPE } from './bodies.js';
import { limitHeadersOf } from './openapiLimits.js';
import type { PlacedSchema, SchemaRegistry } from './openapiSchemas.js';
import type { JsonSchema, MediaTypeObject, RequestBodyObject, ResponseObject } from './openapiTypes.js';
import { UNKNOWN_PARAMETERS } from './queryNames.js';
import type { Route } from './route.js';

/** The request body of a route. */
export function requestBodyOf(body: z.ZodType, route: Route, registry: SchemaRegistry): RequestBodyObject {
  return {
    required: !route.bodyOptional,
    content: {
      [typeOf(route)]: mediaType(registry.place(body, 'input')),
      ...(route.csvBody && { 'text/csv': { schema: { type: 'string' }, example: route.csvBody.example } }),
    },
  };
}

function typeOf({ form, textBody }: Route): string {
  if (textBody) return 'text/plain';
  return form ? FORM_TYPE : 'application/json';
}

export function mediaType({ schema, example }: PlacedSchema): MediaTypeObject {
  return example === undefined ? { schema } : { schema, example: asJson(example) };
}

/** Examples may contain Date objects, as handlers return them. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The success answers, by status. */
export function successResponses(route: Route, registry: SchemaRegistry): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      const content = answer === null ? undefined : contentOf(answer, registry);
      const description = descriptionOfAnswer(Number(status), answer);
      return [status, { description, headers: successHeaders(route), ...(content && { content }) }];
    }),
  );
}

function contentOf(
  answer: z.ZodType | MediaAnswer,
  registry: SchemaRegistry,
): Record<string, MediaTypeObject> {
  if (!isMediaAnswer(answer)) return { 'application/json': mediaType(registry.place(answer, 'output')) };
  const text: JsonSchema = { type: 'string' };
  return {
    ...(answer.json && { 'application/json': mediaType(registry.place(answer.json, 'output')) }),
    ...Object.fromEntries(
      answer.media.map((medium) => [
        essenceOf(medium.type),
        'schema' in medium
          ? mediaType(registry.place(medium.schema, 'output'))
          : { schema: text, example: medium.example },
      ]),
    ),
  };
}

/** The media type without parameters: `text/csv; charset=utf-8` gives `text/csv`. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function descriptionOfAnswer(status: number, answer: z.ZodType | MediaAnswer | null): string {
  const schema = answer === null ? undefined : isMediaAnswer(answer) ? answer.json : answer;
  return schema?.meta()?.description ?? sentences[status] ?? 'Done.';
}

const sentences: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
  204: 'Done. The answer has no body.',
  304: 'The copy named in `If-None-Match` is still current.',
};

function successHeaders(route: Route): ResponseObject['headers'] {
  const names = [
    'X-Request-Id',
    UNKNOWN_PARAMETERS,
    ...limitHeadersOf(route),
    ...(route.idempotent ? ['Idempotent-Replay'] : []),
    ...(route.answers[304] !== undefined ? ['ETag'] : []),
    ...(route.deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
