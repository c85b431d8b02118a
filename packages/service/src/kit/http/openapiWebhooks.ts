import type { z } from 'zod';
import { asJson } from './openapiContent.js';
import type { SchemaRegistry } from './openapiSchemas.js';
import type { OperationObject, ParameterObject, WebhookObject } from './openapiTypes.js';

/** What the service sends to receivers: one message a type, all under the same headers and with the same answers. */
export interface DeliveryTexts {
  readonly tag: string;
  readonly headers: readonly Omit<ParameterObject, 'in' | 'required'>[];
  /** What an answer means to the service, by status or range of statuses (`2XX`). */
  readonly answers: Readonly<Record<string, string>>;
  readonly messages: readonly MessageText[];
}

export interface MessageText {
  /** `score.updated`. */
  readonly type: string;
  readonly description: string;
  /** Of the whole body; it needs a name (`id` in its meta). */
  readonly schema: z.ZodType;
  readonly example: object;
}

/** The `webhooks` section of OpenAPI 3.1: what a receiver is sent, by type. */
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

/** `score.band_changed` is ScoreBandChanged. */
export function pascalCased(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
