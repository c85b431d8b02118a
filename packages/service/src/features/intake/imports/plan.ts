import { fail, sentenceOf } from '../../../domain/errors.js';
import { usableMapping } from '../../../domain/mapping/compileMapping.js';
import { type Mapping, rulesOf } from '../../../domain/mapping/mapping.js';
import { quoted } from '../../../domain/mapping/unusable.js';

/** How the rows of a file become events, as it is kept until the import is over. */
export interface StoredPlan {
  readonly header: readonly string[];
  /** The mapping's JSON. */
  readonly rules: unknown;
}

export interface ImportPlan {
  readonly header: readonly string[];
  readonly mapping: Mapping;
}

/** The plan of an import that was accepted, ready for use again. */
export function reopenPlan({ header, rules }: StoredPlan): ImportPlan {
  return { header, mapping: usableMapping(rules) };
}

/**
 * Refuses a mapping that reads columns which the file does not have: INGEST_MAPPING_INVALID with all of them. A rule with a default is
 * taken at its word, so that one mapping can serve files that differ.
 */
export function assertColumns({ header, mapping }: ImportPlan): void {
  const columns = new Set(header);
  const details = rulesOf(mapping).flatMap(({ at, path, hasDefault }) => {
    if (path === null || hasDefault || columns.has(path)) return [];
    const message = `reads nothing: the file has no column ${quoted(path)}. Its columns are ${listOf(header)}`;
    return [
      { path: `${at}.path`, code: 'invalid_value' as const, message, expected: header.slice(0, MAX_NAMED) },
    ];
  });
  if (details.length > 0) fail('INGEST_MAPPING_INVALID', { message: sentenceOf(details), details });
}

const MAX_NAMED = 50;

function listOf(header: readonly string[]): string {
  const named = header.slice(0, MAX_NAMED).map(quoted).join(', ');
  if (header.length === 1) return `${named} alone (a comma goes between columns)`;
  return header.length > MAX_NAMED ? `${named} and ${header.length - MAX_NAMED} more` : named;
}
