import { staticText } from '#kit/http/fixedDocument.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';

export const HELD_SCHEMA_TYPE = 'application/schema+json';

const ROOT = 'HeldData';
const REFERENCE = '#/components/schemas/';

/** The JSON Schema of the file of a record link (RULES Z8), with the schemas that it names. */
export function heldSchema({ components: { schemas } }: OpenApiDocument, $id: string) {
  const $defs: Record<string, unknown> = {};
  const add = (name: string): void => {
    if (Object.hasOwn($defs, name)) return;
    const text = JSON.stringify(schemas[name]);
    $defs[name] = JSON.parse(text.replaceAll(REFERENCE, '#/$defs/'));
    for (const [, named = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(named);
  };
  add(ROOT);
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return staticText(HELD_SCHEMA_TYPE, JSON.stringify({ $schema, $id, $ref: `#/$defs/${ROOT}`, $defs }));
}
