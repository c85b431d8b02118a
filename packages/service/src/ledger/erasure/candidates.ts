import type { Mentions } from '../../domain/mentions.js';

interface Searched {
  readonly column: string;
  readonly isJson: boolean;
}

/**
 * A condition on rows that may name the erased subject, with its values from parameter `$first` on.
 * It is cheap and finds too many: `Mentions` decides. JSON that is stored as it was sent may write
 * any letter as an escape.
 */
export function candidates(
  columns: readonly Searched[],
  { part, whole }: Mentions,
  first: number,
): { condition: string; values: readonly string[] } {
  const inJson = JSON.stringify(whole);
  const values = part === null ? [whole, inJson] : [runOf(part), runOf(inJson.slice(1, -1))];
  const ofText = (column: string) =>
    part === null
      ? `lower(btrim(${column}::text)) = lower($${first}::text)`
      : `position(lower($${first}::text) in lower(${column}::text)) > 0`;
  const ofJson = (column: string) =>
    `position(lower($${first + 1}::text) in lower(${column}::text)) > 0 or position('\\u' in ${column}::text) > 0`;
  // Both parameters are named, so that every text has a type for each.
  const condition = columns.map(({ column, isJson }) => (isJson ? ofJson(column) : ofText(column)));
  return {
    condition: [...condition, `$${first}::text = $${first + 1}::text and false`].join(' or '),
    values,
  };
}

/**
 * The longest run that every database folds alike and that JSON does not escape: with the locale C
 * `lower` leaves other letters as they are.
 */
function runOf(part: string): string {
  const runs = part.match(/[ !#-[\]-~]+/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest.length >= MIN_RUN ? longest : part;
}

/** A shorter run would make nearly every text a candidate. */
const MIN_RUN = 3;

/** Whether stored JSON names the subject. */
export function isJsonNaming(mentions: Mentions, text: string, kind: 'text' | 'reference' = 'text'): boolean {
  return mentions.isInJson(parsed(text), kind);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // an envelope that is empty, or a receiver's answer
  }
}
