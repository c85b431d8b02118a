interface Notation {
  readonly indent: string;
  readonly null: string;
  readonly true: string;
  readonly false: string;
  name(name: string): string;
  text(text: string): string;
}

const typescript: Notation = {
  indent: '  ',
  null: 'null',
  true: 'true',
  false: 'false',
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
};

const python: Notation = {
  ...typescript,
  indent: '    ',
  null: 'None',
  true: 'True',
  false: 'False',
  name: singleQuoted,
};

/** Longer objects and lists get a line for each entry. */
const MAX_INLINE = 48;

/** A JSON value in the notation of TypeScript. `margin`: of the line in which it begins. */
export function typescriptLiteral(value: unknown, margin = ''): string {
  return literal(typescript, value, margin);
}

/** A JSON value in the notation of Python. */
export function pythonLiteral(value: unknown, margin = ''): string {
  return literal(python, value, margin);
}

/** A text in the notation of Go: raw if possible, so that JSON stays readable. */
export function goText(text: string): string {
  return text.includes('`') || text.includes('\r') ? JSON.stringify(text) : `\`${text}\``;
}

/** A text in the notation of a shell. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function literal(notation: Notation, value: unknown, margin: string): string {
  if (value === null) return notation.null;
  if (typeof value === 'boolean') return notation[`${value}`];
  if (typeof value === 'string') return notation.text(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => (inside: string) => literal(notation, item, inside));
    return enclosed(notation, '[', items, ']', margin);
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([name, own]) =>
        (inside: string) =>
          `${notation.name(name)}: ${literal(notation, own, inside)}`,
    );
    return enclosed(notation, '{', entries, '}', margin);
  }
  return String(value);
}

function enclosed(
  { indent }: Notation,
  open: string,
  entries: readonly ((margin: string) => string)[],
  close: string,
  margin: string,
): string {
  const inline = entries.map((entry) => entry(margin)).join(', ');
  if (inline.length <= MAX_INLINE && !inline.includes('\n')) {
    return open === '{' && inline !== '' && indent === '  '
      ? `${open} ${inline} ${close}`
      : open + inline + close;
  }
  const inside = margin + indent;
  const lines = entries.map((entry) => `${inside}${entry(inside)},\n`).join('');
  return `${open}\n${lines}${margin}${close}`;
}

function singleQuoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${escaped.replaceAll("'", "\\'")}'`;
}
