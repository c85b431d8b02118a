import { fail, sentenceOf } from '#domain/errors.js';
import { usableMapping } from '#domain/mapping/compileMapping.js';
import { type Mapping, rulesOf } from '#domain/mapping/mapping.js';
import { quoted } from '#domain/mapping/unusable.js';

/** How the rows of a file become events, as stored with the import. */
export interface StoredPlan {
  readonly header: readonly string[];
  /** JSON of the mapping. */
  readonly rules: unknown;
}

export interface ImportPlan {
  readonly header: readonly string[];
  readonly mapping: Mapping;
}

/** Compiles the stored plan of an accepted import. */
export function reopenPlan({ header, rules }: StoredPlan): ImportPlan {
  return { header, mapping: usableMapping(rules) };
}

/**
 * Throws INGEST_MAPPING_INVALID with every column that the mapping reads and the file does not
 * have. Rules with a default are not checked, so one mapping can serve different files.
 */
export function assertColumns({ header, mapping }: ImportPlan): void {
  const columns = new Set(header);
  const details = rulesOf(mapping).flatMap(({ at, path, hasDefault }) => {
    if (path === null || hasDefault || columns.has(path)) return [];
    const message = `names a column that the file does not have: ${quoted(path)}. Its columns are ${listOf(header)}`;
    return [
      { path: `${at}.path`, code: 'invalid_value' as const, message, expected: header.slice(0, MAX_NAMED) },
    ];
  });
  if (details.length > 0) fail('INGEST_MAPPING_INVALID', { message: sentenceOf(details), details });
}

const MAX_NAMED = 50;

function listOf(header: readonly string[]): string {
  const named = header.slice(0, MAX_NAMED).map(quoted).join(', ');
  if (header.length === 1)
    return `${named} only. If its columns are not separated by commas, name the \`separator\``;
  return header.length > MAX_NAMED ? `${named} and ${header.length - MAX_NAMED} more` : named;
}
