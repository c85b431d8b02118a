import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { scratchFolder } from './harness/scratchFolder.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FAILING: [what: string, source: string, reason: string][] = [
  [
    'a number of quadratic time',
    'const n = /^\\d+\\.?\\d*$/;',
    'source.ts:1: /^\\d+\\.?\\d*$/ is not linear',
  ],
  ['an exponential pattern', "x.replace(/^(a|a)*$/, '');", 'exponential'],
  ['a trim', "const t = text.replace(/\\s+$/, '');", '2nd degree polynomial'],
  ['a pattern from a constant', "const A = 'a+$'; new RegExp(A, 'u');", '/a+$/u is not linear'],
  ['a pattern that is not constant', "const r = (x: string) => RegExp('^' + x);", 'not constant'],
];
const LINEAR = "// /(a|a)*$/\nconst t = '/(a|a)*$/'; const r = /^a+$/; const s = new RegExp('^b$');";

describe('the check of regular expressions', () => {
  const folder = scratchFolder('reliability-regexps-');
  afterAll(() => rmSync(folder, { recursive: true }));

  const check = (source: string) =>
    new Promise<[code: unknown, output: string]>((resolve) => {
      const file = join(folder, 'source.ts');
      writeFileSync(file, source);
      const args = ['scripts/checkRegexps.mjs', file];
      execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) =>
        resolve([error?.code ?? 0, stdout + stderr]),
      );
    });

  test.each(FAILING)('fails for %s', async (_, source, reason) => {
    expect(await check(source)).toEqual([1, expect.stringContaining(reason)]);
  });

  test('passes linear patterns, and leaves texts and comments alone', async () => {
    expect(await check(LINEAR)).toEqual([
      0,
      expect.stringContaining('regular expressions: 2 in 1 files, 0 not'),
    ]);
  });
});
