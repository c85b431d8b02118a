import { expect, test } from 'vitest';
import { groupOfToken, newPublicId, newPublicToken } from '#kit/ids.js';

const numbers = [0, 1, 15, 16, 255, 256, 998, 999];

test('a public token names its group, in the length and letters that it always had', () => {
  for (const group of numbers) {
    expect(newPublicToken('st_', { ledgers: { own: group } }, 24)).toMatch(/^st_[\w-]{32}$/);
    expect(newPublicToken('cft_', { ledgers: { own: group } })).toMatch(/^cft_[\w-]{43}$/);
    expect(groupOfToken(newPublicToken('st_', { ledgers: { own: group } }, 24))).toBe(group);
    expect(groupOfToken(newPublicToken('cft_', { ledgers: { own: group } }))).toBe(group);
    const id = newPublicId({ ledgers: { own: group } });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([id, id.toUpperCase()].map(groupOfToken)).toEqual([group, group]);
  }
});

test('tokens of a group share nothing else', () => {
  const bits = new Set<string>();
  for (let count = 0; count < 200; count += 1) {
    const token = newPublicToken('st_', { ledgers: { own: 7 } }, 24);
    const [fourth, ...more] = Buffer.from(token.slice(3), 'base64url').subarray(1);
    bits.add(`${(fourth ?? 0) & 15} ${Buffer.from(more).toString('hex')}`);
  }
  expect(bits.size).toBe(200);
  expect(new Set([...bits].map((text) => text.split(' ', 1)[0])).size).toBeGreaterThan(8);
});

test('a text that is no token names no group', () => {
  const texts = ['', 'st_', 'st_AB', 'signature', 'ST_AAAA', '0199', 'x'.repeat(1e6)];
  for (const text of [...texts, null, 5, ['st_AAAA']]) expect(groupOfToken(text)).toBeNull();
});
