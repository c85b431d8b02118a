import type { MappingField } from './values.js';

export interface Mapping {
  /** The JSON as given, to store it or copy it to a job. */
  readonly rules: object;
  readonly fields: readonly { readonly field: MappingField; readonly rule: Rule }[];
  readonly metadata: readonly { readonly name: string; readonly rule: Rule }[];
}

export interface Rule {
  /** Dotted path in the request: `mapping.metadata.orderId`. */
  readonly at: string;
  readonly path: string | null;
  readonly hasDefault: boolean;
  /** The field's value from the record, undefined if absent, or an `Unusable`. */
  read(record: object): unknown;
}

/** Every rule of a mapping. An import checks with them that its file has the columns. */
export function rulesOf({ fields, metadata }: Mapping): readonly Rule[] {
  return [...fields, ...metadata].map(({ rule }) => rule);
}

/** The rule of a field, or of `metadata.` and the name of an entry. */
export function ruleAt({ fields, metadata }: Mapping, path: string): Rule | undefined {
  const entry = metadata.find(({ name }) => path === `metadata.${name}`);
  return (entry ?? fields.find(({ field }) => field === path))?.rule;
}
