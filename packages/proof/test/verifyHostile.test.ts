import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../src/index.js';
import type { Answer } from './memoryLog.js';
import { breach, certain, options, proofOf, receiptOf, textOf, USER } from './verifyFixtures.js';

describe('whatever a file holds, the verifier answers', () => {
  let proof: string;
  let receipt: string;

  beforeAll(async () => {
    const { memory, ...shown } = await proofOf(certain, breach, { ...certain, dueDate: new Date(0) });
    proof = JSON.stringify(shown.proof);
    receipt = JSON.stringify(await receiptOf(memory, memory.report(USER, certain)));
  });

  const deep = (open: string, close: string, levels = 1_000_000) =>
    open.repeat(levels) + close.repeat(levels);

  test.each<[string, () => string, RegExp]>([
    ['a million lists in each other', () => deep('[', ']'), /nested more than 16 levels deep/],
    ['a million objects in each other', () => deep('{"a":', '}').replace(':}', ':1}'), /nested more than 16/],
    ['a million open lists', () => '['.repeat(1_000_000), /nested more than 16/],
    ['nothing', () => '', /not JSON/],
    ['half a text', () => proof.slice(0, -9), /not JSON/],
    ['a name twice', () => proof.replace('{', '{"userId":"ana",'), /has the name "userId" twice/],
    [
      'a name twice, once escaped',
      () => proof.replace('{', '{"user\\u0049d" :"ana",'),
      /has the name "userId" twice/,
    ],
    [
      'a name twice in a fact',
      () => proof.replace('"kind":"event"', '"kind":"event","position":1'),
      /has the name "position" twice/,
    ],
    [
      'the name __proto__',
      () => proof.replace('{', '{"__proto__":{"ok":true},'),
      /No proof has the name "__proto__"/,
    ],
    [
      'a factor constructor',
      () => proof.replace('"factors":{', '"factors":{"constructor":1,'),
      /No proof has the name "constructor"/,
    ],
    [
      'a million names',
      () => `{${Array.from({ length: 1e6 }, (_, i) => `"a${i}":1`)}}`,
      /eventId is not a text/,
    ],
    [
      'a million cosignatures',
      () => proof.replace(/"cosignatures":\[/, `"cosignatures":[${'"",'.repeat(1e6)}`),
      /cosignatures has 1000002 elements, at most 100 are read/,
    ],
    [
      'a checkpoint of megabytes',
      () => proof.replace('"checkpoint":"', `"checkpoint":"${'a\\n'.repeat(1e6)}`),
      /checkpoint has \d+ characters, at most 100000 are read/,
    ],
    ['eighty megabytes', () => `"${'a'.repeat(8e7)}"`, /has 80000002 characters, at most 64000000 are read/],
    [
      'a path of thousands of hashes',
      () => proof.replace('"proof":[', `"proof":[${`"${'A'.repeat(43)}=",`.repeat(5000)}`),
      /at most 64 are read/,
    ],
  ])('%s is refused by name', async (_, fileOf, text) => {
    const verification = await verify(fileOf(), options);
    expect(verification).toMatchObject({ kind: null, ok: false, isComplete: false });
    expect(textOf(verification.steps, 'format')).toMatch(text);
  });

  test('also as a parsed value, with rings in it', async () => {
    const ring: Answer = JSON.parse(proof);
    ring.more = ring;
    for (const value of [ring, JSON.parse(deep('[', ']')), { snapshot: { fact: { a: new Map() } } }]) {
      expect(await verify(value, options)).toMatchObject({ ok: false });
    }
  });

  test('a parsed value that is too deep or too wide is refused, wherever', async () => {
    let wide: unknown[] = [0];
    for (let level = 0; level < 5; level += 1) wide = Array<unknown>(30).fill(wide);
    const formatOf = async (more: unknown) =>
      textOf((await verify({ ...JSON.parse(proof), more }, options)).steps, 'format');
    expect(await formatOf(JSON.parse(deep('[', ']')))).toMatch(/nested more than 16 levels deep/);
    expect(await formatOf(wide)).toMatch(/more than 10000000 values/);
    expect(await formatOf([])).not.toMatch(/nested|values/);
  });

  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(undefined, null, true, [], {}, [[]], 7.5, -1),
    fc.constantFrom('__proto__', 'constructor', '', '\ud800', 'AAA', 'AAAA', '9999-12-31T23:59:59.999Z'),
    fc.constantFrom(-0, 1e308, 2 ** 53, 275760, '+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00Z'),
  );

  test('a proof with any of its values or names replaced is never verified, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(), strange, fc.boolean(), async (isProof, nth, value, isName) => {
        const changed = JSON.parse(isProof ? proof : receipt) as Answer;
        const places = placesOf(changed);
        const [holder, name] = places[nth % places.length] as [Answer, string];
        const before = holder[name];
        if (isName && typeof value === 'string' && !Array.isArray(holder)) {
          delete holder[name];
          Object.defineProperty(holder, value, { value: before, enumerable: true });
          if (value === name) return;
        } else {
          if (JSON.stringify(before) === JSON.stringify(value) || Object.is(before, value)) return;
          holder[name] = value;
        }
        expect((await verify(changed, options)).isComplete, `${name}: ${JSON.stringify(value)}`).toBe(false);
        expect((await verify(JSON.stringify(changed), options)).isComplete).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('a text with any part cut out, doubled or overwritten is never verified as another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat({ max: 400 }),
        fc.string({ maxLength: 9 }),
        async (from, length, text) => {
          const start = from % proof.length;
          const changed = proof.slice(0, start) + text + proof.slice(start + length);
          const { isComplete } = await verify(changed, options);
          if (isComplete) expect(sorted(changed)).toBe(sorted(proof));
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** Each value of a proof, as its holder and its name there. */
function placesOf(value: unknown): [Answer, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, own]) => [[value as Answer, name], ...placesOf(own)]);
}

/** White space apart. */
function sorted(json: string): string {
  return JSON.stringify(JSON.parse(json));
}
