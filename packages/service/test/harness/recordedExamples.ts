import { readFileSync, writeFileSync } from 'node:fs';
import { packageFile } from '#kit/packageFile.js';

const FILE = packageFile('data/answers.json');

/** The answers' examples: `written` by hand, and all others, which are recorded. By operation and status. */
interface AnswerExamples {
  readonly written: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export function readAnswerExamples(): AnswerExamples {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

export function writeAnswerExamples(recorded: ReadonlyMap<string, unknown>): void {
  const { written } = readAnswerExamples();
  const sorted = [...recorded].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify({ ...Object.fromEntries(sorted), written }, null, 2)}\n`);
}

/** Lists are cut to this length. */
const SHOWN_ITEMS = 3;

/** Fields whose values depend on the machine. */
const FIXED_FIELDS: Readonly<Record<string, unknown>> = { latencyMs: 12, nextCursor: 'EXAMPLE' };

const LETTERS = 'EXAMPLEexample';
const DIGITS = '0123456789abcdef';

/** Values that are random or belong to one installation, and what is shown instead. */
const PLACEHOLDERS: readonly [RegExp, (found: string) => string][] = [
  [/\beyJ[\w-]*\.[\w-]+\.[\w-]*/g, () => 'eyJhbGciOiJFZERTQSJ9.EXAMPLE.EXAMPLE'],
  [/\b[0-9a-f]{32,}\b/g, (found) => repeated(DIGITS, found.length)],
  [/(?<=\b(?:crd_live|crd_test|[a-z]{2,5})_)[\w-]{20,}/g, withoutSecret],
  [/(?<![\w/+:.-])[\w+/-]{40,}(?==*(?![\w/+-]))/g, withoutSecret],
];

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Names of members and of constants are as long, but have letters of one case. */
function withoutSecret(found: string): string {
  return /[A-Z]/.test(found) && /[a-z]/.test(found) ? repeated(LETTERS, found.length) : found;
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** An answer as an example: the same for each run. Ids are numbered in the order in which they appear. */
export function asExample(answer: unknown): unknown {
  const ids = new Map<string, string>();
  return normalised(answer);

  function normalised(value: unknown): unknown {
    if (typeof value === 'string') return withPlaceholders(value);
    if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(normalised);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        withPlaceholders(key),
        Object.hasOwn(FIXED_FIELDS, key) && inner !== null ? FIXED_FIELDS[key] : normalised(inner),
      ]),
    );
  }

  function withPlaceholders(text: string): string {
    const withIds = text.replace(UUID, numbered);
    return PLACEHOLDERS.reduce((shown, [found, shownAs]) => shown.replace(found, shownAs), withIds);
  }

  function numbered(id: string): string {
    const number = String(ids.size + 1).padStart(12, '0');
    const shown = ids.get(id) ?? `0199a3c2-7b1e-7c40-8d21-${number}`;
    ids.set(id, shown);
    return shown;
  }
}
