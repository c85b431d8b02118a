/**
 * The schema with every object closed that does not define additional properties, and its
 * references resolved in the schema `api`. The document leaves answers open because they may grow;
 * a test must find undocumented fields.
 */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([keyword, inner]) => [keyword, closedKeyword(keyword, inner)]);
  const schema = Object.fromEntries(entries);
  const saysMore = 'additionalProperties' in schema || 'allOf' in schema;
  return 'properties' in schema && !saysMore ? { ...schema, additionalProperties: false } : schema;
}

/** Data values stay unchanged; property names are not keywords. */
function closedKeyword(keyword: string, inner: unknown): unknown {
  if (keyword === '$ref') return `api${String(inner)}`;
  if (['examples', 'default', 'enum', 'const'].includes(keyword)) return inner;
  if (keyword !== 'properties' && keyword !== 'schemas') return closed(inner);
  return Object.fromEntries(Object.entries(inner as object).map(([name, schema]) => [name, closed(schema)]));
}
