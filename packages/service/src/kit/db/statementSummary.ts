/** The verb of each step of a statement and the table that it is about. */
const STEP = /\b(insert into|update|delete from|select|from|join)\s+(?:only\s+)?([a-z_][\w.]*)?/gi;
const MAX_STEPS = 4;
const MAX_KNOWN = 1_000;

const known = new Map<string, string>();

/**
 * A statement in a few words, for traces: `insert event, insert tally, select subject`. Built from the
 * text, which has no values.
 */
export function statementSummary(text: string): string {
  let summary = known.get(text);
  if (summary === undefined) {
    summary = summarize(text);
    if (known.size < MAX_KNOWN) known.set(text, summary);
  }
  return summary;
}

function summarize(text: string): string {
  const own = new Set(
    [
      ...text.matchAll(
        /(?:\bwith|,)\s*(?:recursive\s+)?([a-z_]\w*)(?:\s*\([^()]*\))?\s+as\s+(?:not\s+)?(?:materialized\s*)?\(/gi,
      ),
    ].map(([, name]) => name),
  );
  const steps = new Set<string>();
  for (const [, verb = '', table] of text.matchAll(STEP)) {
    const word = verb.toLowerCase().split(' ')[0] ?? '';
    if (table === undefined || own.has(table) || word === 'select') continue;
    steps.add(word === 'from' || word === 'join' ? `select ${table}` : `${word} ${table}`);
  }
  if (steps.size === 0) return /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const all = [...steps].sort((left, right) => rank(left) - rank(right));
  return all.slice(0, MAX_STEPS).join(', ');
}

/** What is written says more than what is read. */
function rank(step: string): number {
  return step.startsWith('select') ? 1 : 0;
}
