import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { documentedSchema } from '../src/kit/http/looseItems.js';
import { operationsOf } from '../src/kit/http/route.js';
import { routeTable } from './harness/routeTable.js';

interface Def {
  readonly type: string;
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly abort?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: Def } }[];
  readonly [part: string]: unknown;
}

const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def;

/** Every way in which a schema looks at a text before its length is known. */
function faultsIn(schema: unknown, at: string, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const documented = documentedSchema(schema as object);
  if (documented) return faultsIn(documented, at, seen);
  const def = defOf(schema);
  const under = (inner: unknown, step = '') => faultsIn(inner, at + step, seen);
  switch (def.type) {
    case 'string':
      return faultsOfText(def, at);
    case 'object': {
      const shape = Object.entries(def.shape as object);
      return [...shape.flatMap(([name, inner]) => under(inner, `.${name}`)), ...underAny(def.catchall, '.*')];
    }
    case 'array':
      return under(def.element, '[]');
    case 'tuple':
      return [...(def.items as unknown[]).flatMap((item) => under(item, '[]')), ...underAny(def.rest, '[]')];
    case 'record':
      return [...under(def.keyType, '{name}'), ...under(def.valueType, '{}')];
    case 'union':
      return (def.options as unknown[]).flatMap((option) => under(option));
    case 'intersection':
      return [...under(def.left), ...under(def.right)];
    case 'pipe':
      return [...under(def.in), ...under(def.out)];
    case 'lazy':
      return under((def.getter as () => unknown)());
    case 'transform':
      return [];
    default:
      return underAny(def.innerType);
  }

  function underAny(inner: unknown, step = ''): string[] {
    return inner ? under(inner, step) : [];
  }
}

function faultsOfText(def: Def, at: string): string[] {
  const own = def.check ? [def] : [];
  let isBounded = false;
  for (const check of [...own, ...(def.checks ?? []).map(({ _zod }) => _zod.def)]) {
    if (check.check === 'min_length') continue;
    const isBound = check.check === 'max_length' || (check.pattern && isFinite(check.pattern));
    if (isBound && !check.abort) return [`${at}: later checks look at a text that is too long`];
    if (isBound) isBounded = true;
    else if (!isBounded) return [`${at}: ${check.format ?? check.check} looks before the length is known`];
  }
  return isBounded ? [] : [`${at}: has no bound`];
}

/** Whether a pattern stops after a fixed number of characters. */
function isFinite({ source }: RegExp): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x');
  return /^\^.*\$$/.test(source) && !/[*+]|\{\d+,\}/.test(bare);
}

const inputs = operationsOf(routeTable()).flatMap(({ name, route }) =>
  (['body', 'query', 'params'] as const).flatMap((part) =>
    route[part] ? [{ name: `${part} of ${name}`, schema: route[part] }] : [],
  ),
);

describe('the schema of an input', () => {
  test('covers every operation', () => {
    expect(inputs.length).toBeGreaterThan(100);
  });

  test.each(inputs)('looks at no text before its length is known: $name', ({ schema }) => {
    expect(faultsIn(schema, '')).toEqual([]);
  });
});
void z;
