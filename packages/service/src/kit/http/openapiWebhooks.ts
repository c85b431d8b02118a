import type { z } from 'zod';
import { mapValues } from '../mapValues.js';
import { asJson, type SchemaRegistry } from './openapiSchemas.js';
import type { OpenApiDocument, ParameterObject } from './openapiTypes.js';

/** The messages to receivers. All have the same headers and the same answers. */
export interface DeliveryTexts {
  readonly tag: string;
  readonly headers: readonly Omit<ParameterObject, 'in' | 'required'>[];
  /** The meaning of an answer to the service, by status or range of statuses (`2XX`). */
  readonly answers: Readonly<Record<string, string>>;
  readonly messages: readonly MessageText[];
}

interface MessageText {
  /** `score.updated`. */
  readonly type: string;
  readonly description: string;
  /** The schema of the whole body. It needs a name (`id` in its meta). */
  readonly schema: z.ZodType;
  readonly example: object;
}

/** The `webhooks` section of OpenAPI 3.1. */
export function webhookObjects(
  { tag, headers, answers, messages }: DeliveryTexts,
  registry: SchemaRegistry,
): OpenApiDocument['webhooks'] {
  const parameters = headers.map((header) => ({ ...header, in: 'header', required: true }) as const);
  const responses = mapValues(answers, (description) => ({ description }));
  return Object.fromEntries(
    messages.map(({ type, description, schema: given, example }) => {
      const { schema } = registry.place(given, 'output');
      const post = {
        operationId: `on${pascalCased(type)}`,
        tags: [tag],
        summary: type,
        description,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: asJson(example) } },
        },
        responses,
      };
      return [type, { post }];
    }),
  );
}

/** `score.band_changed` gives `ScoreBandChanged`. */
export function pascalCased(type: string): string {
  return type.replace(/(?:^|[._])(.?)/g, (_, letter: string) => letter.toUpperCase());
}
