import type { MappingField } from './fields.js';

/** A mapping that has been found good: what `compileMapping` makes of its JSON. */
export interface Mapping {
  /** The JSON as given, to be stored or copied onto a job. */
  readonly rules: object;
  /** In the order of an event's fields. */
  readonly fields: readonly { readonly field: MappingField; readonly rule: Rule }[];
  readonly metadata: readonly { readonly name: string; readonly rule: Rule }[];
}

/** One rule, compiled. */
export interface Rule {
  /** Dotted place in the request: `mapping.metadata.orderId`. */
  readonly at: string;
  /** Null for a constant. */
  readonly path: string | null;
  /** A record that lacks the path gets this instead. */
  readonly hasDefault: boolean;
  /** What the record gives the field: a value, undefined where it has none, or an `Unusable`. */
  read(record: object): unknown;
}

/** Every rule of a mapping: what an import needs to know to see whether its file has the columns. */
export function rulesOf({ fields, metadata }: Mapping): readonly Rule[] {
  return [...fields, ...metadata].map(({ rule }) => rule);
}
