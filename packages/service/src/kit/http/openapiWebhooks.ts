import type { z } from 'zod';
import { asJson } from './openapiContent.js';
import type { SchemaRegistry } from './openapiSchemas.js';
import type { OperationObject, ParameterObject, WebhookObject } from './openapiTypes.js';

/** The messages to receivers. All have the same headers and the same answers. */
export interface DeliveryTexts {
  readonly tag: string;
  readonly headers: readonly Omit<ParameterObject, 'in' | 'required'>[];
  /** The meaning of an answer to the service, by status or range of statuses (`2XX`). */
  readonly answers: Readonly<Record<string, string>>;
  readonly messages: readonly MessageText[];
}

export interface MessageText {
  /** `score.updated`. */
  readonly type: string;
  readonly description: string;
  /** The schema of the whole body. It needs a name (`id` in its meta). */
  readonly schema: z.ZodType;
  readonly example: object;
}

/** The `webhooks` section of OpenAPI 3.1. */
export function webhookObjects(
  texts: DeliveryTexts,
  registry: SchemaRegistry,
): Record<string, WebhookObject> {
  const parameters = texts.headers.map(
    (header): ParameterObject => ({ ...header, in: 'header', required: true }),
  );
  const responses = Object.fromEntries(
    Object.entries(texts.answers).map(([status, description]) => [status, { description }]),
  );
  return Object.fromEntries(
    texts.messages.map(({ type, description, schema, example }): [string, { post: OperationObject }] => [
      type,
      {
        post: {
          operationId: `on${pascalCased(type)}`,
          tags: [texts.tag],
          summary: type,
          description,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: registry.place(schema, 'output').schema,
                example: asJson(example),
              },
            },
          },
          responses,
        },
      },
    ]),
  );
}

/** `score.band_changed` gives `ScoreBandChanged`. */
export function pascalCased(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
