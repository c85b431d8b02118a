import { ProofFormatError } from './proofFormatError.js';

/** A receipt has three levels, a score proof six. */
const MAX_DEPTH = 16;
/** Of a text: 50 000 events have about as many. */
const MAX_CHARS = 64_000_000;
/** Of a parsed value. */
const MAX_VALUES = 10_000_000;
const MAX_SHOWN = 60;

/**
 * Parses the JSON of a proof. Refuses a name that an object has twice, of which JSON.parse would keep
 * the last and other programs the first. Throws ProofFormatError.
 */
export function parseProofText(text: string): unknown {
  refuseLength(text);
  refuseNames(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProofFormatError(`It is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

export function refuseLength({ length }: string): void {
  if (length > MAX_CHARS)
    throw new ProofFormatError(`It has ${length} characters, at most ${MAX_CHARS} are read`);
}

const [QUOTE, COLON, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, BACKSLASH] = [
  '"',
  ':',
  '[',
  ']',
  '{',
  '}',
  '\\',
].map((sign) => sign.charCodeAt(0));

/** Of a text that may be no JSON: then JSON.parse says so. */
function refuseNames(text: string): void {
  /** The names of each open object; null: a list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN || code === OPEN_LIST) {
      open.push(code === OPEN ? new Set() : null);
      refuseDepth(open.length);
    } else if (code === CLOSE || code === CLOSE_LIST) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return;
      const names = open.at(-1);
      if (names && codeAfter(text, end) === COLON) {
        const name = nameIn(text.slice(at, end + 1));
        if (names.has(name)) throw new ProofFormatError(`An object has the name ${shown(name)} twice`);
        names.add(name);
      }
      at = end;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

function codeAfter(text: string, end: number): number {
  let at = end + 1;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at);
}

function nameIn(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}

/**
 * Refuses what no proof has and what code could trip over: deep nesting, and names that every object
 * inherits, such as `constructor`. Throws ProofFormatError.
 */
export function refuseStrange(value: unknown): void {
  const left: { of: object; depth: number }[] = [];
  let values = 0;
  const add = (one: unknown, depth: number): void => {
    values += 1;
    if (values > MAX_VALUES) throw new ProofFormatError(`It has more than ${MAX_VALUES} values`);
    if (typeof one !== 'object' || one === null) return;
    refuseDepth(depth);
    left.push({ of: one, depth });
  };
  add(value, 1);
  for (let next = left.pop(); next; next = left.pop()) {
    const { of, depth } = next;
    if (Array.isArray(of)) {
      for (const one of of) add(one, depth + 1);
      continue;
    }
    for (const name of Object.keys(of)) {
      if (name in Object.prototype) throw new ProofFormatError(`No proof has the name ${shown(name)}`);
      add((of as Record<string, unknown>)[name], depth + 1);
    }
  }
}

function refuseDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new ProofFormatError(`It is nested more than ${MAX_DEPTH} levels deep`);
}

function shown(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}
