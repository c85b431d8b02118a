import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { documentedSchema } from '#kit/http/openapiSchemas.js';
import { operationsOf } from '#kit/http/route.js';
import { routeTable } from './harness/routeTable.js';

/** A part of a zod definition, of a schema or a check. */
interface Def {
  readonly type?: string;
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly abort?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: Def } }[];
  readonly [part: string]: unknown;
}

interface Place {
  readonly at: string;
  /** A check of an object or list around it runs even if a check that does not abort has failed. */
  readonly isChecked: boolean;
}

/** Every way in which a schema looks at a text before its length is known. */
function faultsIn(schema: unknown, { at, isChecked }: Place = { at: '', isChecked: false }): string[] {
  const documented = documentedSchema(schema as object);
  if (documented) return faultsIn(documented, { at, isChecked });
  const def = defOf(schema);
  const isCheckedNow = isChecked || checksOf(def).some(({ check }) => check === 'custom');
  const under = (inner: unknown, step = '') =>
    inner ? faultsIn(inner, { at: at + step, isChecked: isCheckedNow }) : [];
  const each = (inner: unknown) => Object.values(inner ?? {}).flatMap((part) => under(part));
  switch (def.type) {
    case 'string':
      return faultsOfText(def, { at, isChecked });
    case 'object':
      return [
        ...Object.entries(def.shape as object).flatMap(([name, inner]) => under(inner, `.${name}`)),
        ...under(def.catchall, '.*'),
      ];
    case 'pipe':
      return defOf(def.in).type === 'transform'
        ? [`${at}: is transformed first`]
        : [...under(def.in), ...under(def.out)];
    default:
      return [
        ...under(def.innerType),
        ...under(def.element, '[]'),
        ...(isBareText(def.keyType) ? [] : under(def.keyType, '{name}')),
        ...under(def.valueType, '{}'),
        ...each(def.options),
        ...each(def.items),
      ];
  }
}

function defOf(schema: unknown): Def {
  return (schema as { _zod: { def: Def } })._zod.def;
}

/** Names that nothing looks at. */
function isBareText(schema: unknown): boolean {
  return !schema || checksOf(defOf(schema)).length === 0;
}

/** In their order. A format such as `z.uuid()` is a check of itself. */
function checksOf(def: Def): readonly Def[] {
  return [...(def.check ? [def] : []), ...(def.checks ?? []).map(({ _zod }) => _zod.def)];
}

function faultsOfText(def: Def, { at, isChecked }: Place): string[] {
  const checks = checksOf(def).filter(({ check }) => check !== 'min_length');
  const [bound, ...later] = checks;
  if (!bound) return [`${at}: has no bound`];
  if (bound.check !== 'max_length' && !(bound.pattern && isShort(bound.pattern)))
    return [`${at}: ${bound.format ?? bound.check} looks before the length is known`];
  return bound.abort || (later.length === 0 && !isChecked) ? [] : [`${at}: a check looks at a longer text`];
}

/** Whether a pattern looks at a fixed number of characters. */
function isShort({ source }: RegExp): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x');
  return /^\^.*\$$/.test(source) && !/[*+]|\{\d+,\}/.test(bare);
}

const inputs = operationsOf(routeTable()).flatMap(({ name, route }) =>
  (['body', 'query', 'params'] as const).flatMap((part) =>
    route[part] ? [{ name: `${part} of ${name}`, schema: route[part] }] : [],
  ),
);

describe('the schema of an input', () => {
  test.each([
    [z.object({ a: z.string() }), '.a: has no bound'],
    [z.array(z.string().max(5).refine(Boolean)), '[]: a check looks at a longer text'],
    [z.object({ a: z.string().max(5) }).refine(Boolean), '.a: a check looks at a longer text'],
    [z.string().trim().max(5, { abort: true }), ': overwrite looks before the length is known'],
    [z.union([z.number(), z.url().max(5)]), ': url looks before the length is known'],
    [z.record(z.string().regex(/^a+$/), z.int()), '{name}: regex looks before the length is known'],
    [z.preprocess(String, z.string().max(5)), ': is transformed first'],
  ])('is found if it looks too early: %#', (schema, fault) => {
    expect(faultsIn(schema)).toEqual([fault]);
  });

  test('covers every operation', () => {
    expect(inputs.length).toBeGreaterThan(100);
  });

  test.each(inputs)('looks at no text before its length is known: $name', ({ schema }) => {
    expect(faultsIn(schema)).toEqual([]);
  });
});
