import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cheats, fork, tableRows } from './cheats.js';

const page = readFileSync(new URL('../../../../docs/PROOFS.md', import.meta.url), 'utf8');

test('docs/PROOFS.md says who notices each cheat that is played, and no other', () => {
  const [, section = ''] = page.split(/^## Who notices what$/m);
  const lines = (section.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  const [, , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(rows).toEqual(tableRows([...cheats, fork]));
});
