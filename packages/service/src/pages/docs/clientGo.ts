import { type ClientModel, type ClientType, type Member, type Shape, splitNull } from './clientModel.js';
import { pascal } from './clientNames.js';
import { goText } from './literals.js';

/** A type in Go. Sets of values are strings, choices between unlike types `any`. */
export function goType(given: ClientType): string {
  const { type, isNullable } = splitNull(given);
  const own = plainType(type);
  return isNullable && isValue(own) ? `*${own}` : own;
}

/** Public, and not beginning with a digit. */
export function goName(member: string): string {
  return pascal(member).replace(/^(?=\d)/, 'In');
}

/** The type of a member, and whether an empty one is left out. */
export function goMember({ type, isRequired }: Member, { isChange }: Pick<Shape, 'isChange'>) {
  const own = goType(type);
  if (isRequired) return { type: own, isOptional: false };
  const { type: plain, isNullable } = splitNull(type);
  if (isChange && isNullable) return { type: `Nullable[${plainType(plain)}]`, isOptional: true };
  // An empty text is left out: no operation tells it from a missing one.
  if (plainType(plain) === 'string') return { type: 'string', isOptional: true };
  return { type: isValue(own) ? `*${own}` : own, isOptional: true };
}

function plainType(type: ClientType): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'null':
    case 'any':
      return 'any';
    case 'values':
      return commonType(type.values.map((value) => (typeof value === 'boolean' ? 'bool' : typeof value)));
    case 'list':
      return `[]${goType(type.of)}`;
    case 'map':
      return `map[string]${goType(type.of)}`;
    case 'shape':
      return type.name;
    case 'union':
      return commonType(type.of.map(plainType));
  }
}

function commonType(names: readonly string[]): string {
  const distinct = [...new Set(names.map((name) => (name === 'number' ? 'int' : name)))];
  if (distinct.every((name) => name === 'int' || name === 'float64'))
    return distinct.length === 1 && distinct[0] ? distinct[0] : 'float64';
  return distinct.length === 1 && distinct[0] ? distinct[0] : 'any';
}

/** Whether it has no nil. */
function isValue(type: string): boolean {
  return !/^(?:\[\]|map\[|\*|any$)/.test(type);
}

/** A JSON value as an expression of the type. */
export function goLiteral(model: ClientModel, given: ClientType, value: unknown, margin = ''): string {
  const { type } = splitNull(given);
  const name = goType(type);
  if (value === null) return 'nil';
  if (typeof value === 'string') return value.includes('\n') ? goText(value) : JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  const qualified = name.replace(/(?<![\w.])[A-Z]\w*/g, 'reliability.$&');
  const inside = `${margin}\t`;
  if (Array.isArray(value)) {
    const of: ClientType = type.kind === 'list' ? type.of : { kind: 'any' };
    const items = value.map((item) => elided(goLiteral(model, of, item, inside), of));
    return enclosed(type.kind === 'list' ? qualified : '[]any', items, margin);
  }
  const shape = type.kind === 'shape' ? model.shapes.get(type.name) : undefined;
  if (!shape) {
    const of: ClientType = type.kind === 'map' ? type.of : { kind: 'any' };
    const entries = Object.entries(value).map(
      ([key, own]) => `${JSON.stringify(key)}: ${elided(goLiteral(model, of, own, inside), of)}`,
    );
    return enclosed(type.kind === 'map' ? qualified : 'map[string]any', entries, margin);
  }
  const entries = shape.members.flatMap((member) => {
    const own = (value as Record<string, unknown>)[member.name];
    // A null that means the same as nothing.
    const isLeftOut = own === null && goMember(member, shape).type === 'string';
    return own === undefined || isLeftOut
      ? []
      : [`${goName(member.name)}: ${memberLiteral(model, member, shape, own, inside)}`];
  });
  return enclosed(qualified, entries, margin);
}

function memberLiteral(
  model: ClientModel,
  member: Member,
  shape: Shape,
  value: unknown,
  margin: string,
): string {
  const { type } = goMember(member, shape);
  const own = goLiteral(model, member.type, value, margin);
  const literal = /^\*float64$|\[float64\]$/.test(type) && Number.isInteger(value) ? `${own}.0` : own;
  if (type.startsWith('Nullable['))
    return value === null
      ? `reliability.Null${type.slice('Nullable'.length)}()`
      : `reliability.Set(${literal})`;
  if (!type.startsWith('*') || value === null) return literal;
  if (typeof value === 'object') return `&${literal}`;
  return `reliability.Ptr(${literal})`;
}

/** The elements of a list or map need not name their type again. */
function elided(literal: string, of: ClientType): string {
  return of.kind === 'shape' ? literal.slice(literal.indexOf('{')) : literal;
}

const MAX_INLINE = 60;

function enclosed(type: string, entries: readonly string[], margin: string): string {
  const inline = `${type}{${entries.join(', ')}}`;
  if (inline.length <= MAX_INLINE && !inline.includes('\n')) return inline;
  return `${type}{\n${aligned(entries)
    .map((entry) => `${margin}\t${entry},\n`)
    .join('')}${margin}}`;
}

/** As gofmt: the values of neighbouring members begin in one column. */
function aligned(entries: readonly string[]): string[] {
  const widthOf = (entry = '') => (entry.includes('\n') ? 0 : (/^\w+: /.exec(entry)?.[0].length ?? 0));
  return entries.map((entry, index) => {
    if (widthOf(entry) === 0) return entry;
    let [first, last] = [index, index];
    while (widthOf(entries[first - 1]) > 0) first -= 1;
    while (widthOf(entries[last + 1]) > 0) last += 1;
    const width = Math.max(...entries.slice(first, last + 1).map(widthOf));
    return entry.slice(0, widthOf(entry)).padEnd(width) + entry.slice(widthOf(entry));
  });
}
