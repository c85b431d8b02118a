import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Installed, built, or fixed content. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'data']);
const files = ['packages', 'bench', 'docs', 'scripts'].flatMap(textFilesIn).concat(textFilesOf('.'));
const page = readFileSync(join(ROOT, 'docs/RULES.md'), 'utf8');
const rules = [...page.matchAll(/^\| ([A-Z])(\d+) \|(.*)\|$/gm)].map(([, group, number, rest = '']) => {
  const [promise = '', heldBy = '', reason = '', ...more] = rest.split('|').map((cell) => cell.trim());
  return { group, number: Number(number), id: `${group}${number}`, promise, heldBy, reason, more };
});
const kept = rules.filter(({ promise }) => promise !== 'retired');
const ids = new Set(kept.map(({ id }) => id));

describe('docs/RULES.md', () => {
  test('numbers the rules of each group from 1 without a gap or duplicate', () => {
    const counts = new Map<string | undefined, number>();
    for (const { group, number } of rules) {
      expect(`${group}${number}`).toBe(`${group}${(counts.get(group) ?? 0) + 1}`);
      counts.set(group, number);
    }
  });

  test('has a row with four cells for each rule, and nothing beside a retired one', () => {
    const numbered = page.split('\n').filter((line) => /^\W*[A-Z]\d+\b/.test(line));
    expect(numbered).toHaveLength(rules.length);
    expect(rules.filter(({ more }) => more.length > 0)).toEqual([]);
    const retired = rules.filter(({ promise }) => promise === 'retired');
    expect(retired.filter(({ heldBy, reason }) => heldBy !== '' || reason !== '')).toEqual([]);
  });

  test('states each promise in at most 25 words and its reason in at most 20', () => {
    const long = kept.filter(({ promise, reason }) => words(promise) > 25 || words(reason) > 20);
    expect(long.map(({ id }) => id)).toEqual([]);
    expect(kept.filter(({ promise, reason }) => promise === '' || reason === '')).toEqual([]);
  });

  test('names nothing but tests and commands as what holds a rule', () => {
    const other = kept.filter(
      ({ heldBy }) => !/^(?:`(?:[\w.]+\.test\.ts|npm run [\w:-]+)`(?:, |$))*$/.test(heldBy),
    );
    expect(other.map(({ id }) => id)).toEqual([]);
  });

  test('refers to existing rules', () => {
    const inside = [...page.matchAll(/\(([A-Z]\d+(?:, [A-Z]\d+)*)\)/g)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect(inside.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('names existing tests and commands', () => {
    const tests = new Set(files.map((file) => basename(file)));
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = [...page.matchAll(/`([\w.]+\.test\.ts)`/g)].map(([, name = '']) => name);
    const commands = [...page.matchAll(/`npm run ([\w:-]+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !tests.has(name))).toEqual([]);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('every rule that code, tests and pages cite is in docs/RULES.md', () => {
  const unknown = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bRULES[\s*/-]+(\w+(?:,[\s*/-]+[A-Z]\d+)*)/g)]
      .flatMap(([, list = '']) => list.split(/,[\s*/-]+/))
      .filter((id) => !ids.has(id))
      .map((id) => `${file}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

test('no file cites a page outside this repository', () => {
  const former = /\b(?:INTERFACE|DECISIONS|STANDARDS|SCORING|DESIGN)(?:\.md| \d| ")/;
  expect(files.filter((file) => former.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

function words(text: string): number {
  return text.split(/\s+/).length;
}

function textFilesIn(folder: string): string[] {
  const folders = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !LEFT_OUT.has(entry.name),
  );
  return [...textFilesOf(folder), ...folders.flatMap(({ name }) => textFilesIn(join(folder, name)))];
}

function textFilesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js|css|sql|md)$/.test(entry.name))
    .map(({ name }) => join(folder, name));
}
