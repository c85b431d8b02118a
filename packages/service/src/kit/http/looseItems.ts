import { z } from 'zod';

const documented = new WeakMap<object, z.ZodType>();

/**
 * An item of a batch that is documented as `schema` but taken as it comes, so that the handler can parse item by item and
 * one bad item fails alone: `z.array(looseItems(EventInput))` parses to `unknown[]`.
 */
export function looseItems(schema: z.ZodType): z.ZodType<unknown> {
  const loose = z.unknown();
  documented.set(loose, schema);
  return loose;
}

/** The schema a loose item is documented as; undefined for any other type. */
export function documentedSchema(type: object): z.ZodType | undefined {
  return documented.get(type);
}
