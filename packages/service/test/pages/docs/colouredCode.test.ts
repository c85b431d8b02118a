import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { colouredCode } from '../../../src/pages/docs/colouredCode.js';
import { root } from '../../docs/languages.js';

const marked = (code: string, language: string) => colouredCode(code, language).text.replaceAll('&#39;', "'");

test.each([
  ['sh', "curl -sS '$X' # why", "<b>curl</b> <i>-sS</i> <em>'$X'</em> <span># why</span>"],
  ['sh', 'echo $KEY x#y', '<b>echo</b> <i>$KEY</i> x#y'],
  ['ts', "const a = { b: 'c' }; // d", "<b>const</b> a = { <i>b</i>: <em>'c'</em> }; <span>// d</span>"],
  ['ts', "f('http://x', awaits)", "f(<em>'http://x'</em>, awaits)"],
  ['python', "f(json={'a': 1})  # b", "f(<i>json</i>={<i>'a'</i>: 1})  <span># b</span>"],
  ['go', 'return `a // b`', '<b>return</b> <em>`a // b`</em>'],
  [
    'json',
    '{"a": ["b\\"", true, -1.5]}',
    '{<i>&quot;a&quot;</i>: [<em>&quot;b\\&quot;&quot;</em>, <b>true</b>, -<b>1.5</b>]}',
  ],
  [
    'html',
    '<a href="b">c</a>',
    '<b>&lt;a</b> <i>href</i>=<em>&quot;b&quot;</em><b>&gt;</b>c<b>&lt;/a</b><b>&gt;</b>',
  ],
  ['yaml', 'a: b # c', '<i>a</i>: b <span># c</span>'],
  ['text', 'if "a" # b', 'if &quot;a&quot; # b'],
])('%s is coloured: %s', (language, code, expected) => {
  expect(marked(code, language)).toBe(expected);
});

test('all code of the documentation reads as it was written', () => {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const plain = (html: string) =>
    html.replace(/<[^>]*>/g, '').replace(/&([\w#]+);/g, (_, name: string) => entities[name] ?? '');
  const folder = join(root, 'docs');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue;
    for (const [, language = '', code = ''] of readFileSync(join(folder, file), 'utf8').matchAll(
      /^```(\w+)\n([\s\S]*?)^```$/gm,
    ))
      expect(plain(colouredCode(code, language).text), file).toBe(code);
  }
});

test.each(['sh', 'ts', 'python', 'go', 'json', 'html', 'yaml'])(
  '%s without an end is coloured at once',
  (language) => {
    for (const part of ["'", '"', '`', '\\', '#', ' #', 'a', '<', '<!--', '/', '-'])
      expect(colouredCode(part.repeat(200_000), language).text.length).toBeGreaterThanOrEqual(200_000);
  },
);
