/**
 * The schema with every object closed that does not say itself what else it takes, and its references led to the schema
 * called `api`. The document leaves answers open, since they may grow; a test must not let anything undocumented through.
 */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([keyword, inner]) => [keyword, closedKeyword(keyword, inner)]);
  const schema = Object.fromEntries(entries);
  const saysMore = 'additionalProperties' in schema || 'allOf' in schema;
  return 'properties' in schema && !saysMore ? { ...schema, additionalProperties: false } : schema;
}

/** Values that are data stay as they are; names of properties are no keywords. */
function closedKeyword(keyword: string, inner: unknown): unknown {
  if (keyword === '$ref') return `api${String(inner)}`;
  if (['examples', 'default', 'enum', 'const'].includes(keyword)) return inner;
  if (keyword !== 'properties' && keyword !== 'schemas') return closed(inner);
  return Object.fromEntries(Object.entries(inner as object).map(([name, schema]) => [name, closed(schema)]));
}
