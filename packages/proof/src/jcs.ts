/** A value of JSON. A bigint is an integer whose digits must not be lost. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * The canonical text of a JSON value (RFC 8785): no white space, names in the order of their UTF-16 code units, numbers and
 * strings as ECMAScript writes them. Beyond the RFC, a bigint is written with all its digits: an integer past 2^53 has no
 * canonical form there, since the RFC reads every number as a double. Below 2^53 bigint and number give the same text.
 * Throws TypeError for what JSON cannot hold: NaN, infinities, lone surrogates, undefined, functions, dates.
 */
export function canonicalJson(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}`);
      return JSON.stringify(value);
    case 'bigint':
      return String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? arrayText(value) : objectText(value as { [key: string]: JsonValue });
    default:
      throw new TypeError(`JSON has no ${typeof value}`);
  }
}

function arrayText(values: readonly JsonValue[]): string {
  // Array.from also visits the holes of an array.
  return `[${Array.from(values, canonicalJson).join(',')}]`;
}

function objectText(object: { readonly [key: string]: JsonValue }): string {
  const prototype = Object.getPrototypeOf(object);
  // Objects from another realm have another Object.prototype, which in turn has none.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError(`JSON has no ${object.constructor?.name ?? 'such object'}`);
  // The default order of sort() is that of UTF-16 code units, as the RFC wants.
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${quote(name)}:${canonicalJson(object[name] as JsonValue)}`).join(',')}}`;
}

function quote(text: string): string {
  if (!text.isWellFormed())
    throw new TypeError(`A string with a lone surrogate has no UTF-8 form: ${JSON.stringify(text)}`);
  return JSON.stringify(text);
}
