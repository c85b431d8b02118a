import { z } from 'zod';

const documented = new WeakMap<object, z.ZodType>();

/**
 * An item of a batch that is documented as `schema` but not validated, so that the handler can
 * parse each item and one bad item fails alone: `z.array(looseItems(EventInput))` parses to
 * `unknown[]`.
 */
export function looseItems(schema: z.ZodType): z.ZodType<unknown> {
  const loose = z.unknown();
  documented.set(loose, schema);
  return loose;
}

/** The documented schema of a loose item; undefined for any other type. */
export function documentedSchema(type: object): z.ZodType | undefined {
  return documented.get(type);
}
