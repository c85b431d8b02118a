import { beforeAll, describe, expect, test } from 'vitest';
import { formatTlogProof, parseTlogProof, type ReceiptFields, verify } from '../src/index.js';
import { certain, log, logOf, options, unixSeconds } from './verifyFixtures.js';

describe('a receipt as tlog-proof', () => {
  let receipt: ReceiptFields;
  let text: string;

  beforeAll(async () => {
    const { memory } = logOf([certain, certain, certain]);
    const eventId = String(memory.leaf(2).fact.eventId);
    receipt = (await memory.receipt(eventId, unixSeconds)) as unknown as ReceiptFields;
    text = formatTlogProof(receipt);
  });

  test('has the lines of the format, and the signed note with the cosignatures at its end', () => {
    const [header, extra, index, ...rest] = text.split('\n');
    expect(header).toBe('c2sp.org/tlog-proof@v1');
    expect(extra).toMatch(/^extra [A-Za-z0-9+/]+=*$/);
    expect(index).toBe(`index ${receipt.leafIndex}`);
    expect(rest.slice(0, receipt.proof.length)).toEqual(receipt.proof);
    expect(rest[receipt.proof.length]).toBe('');
    const note = rest.slice(receipt.proof.length + 1).join('\n');
    expect(note).toBe(`${receipt.checkpoint}${receipt.cosignatures?.map((line) => `${line}\n`).join('')}`);
    expect(note).toContain(`\u2014 ${log.key.name} `);
  });

  test('is verified in every step, witnesses included', async () => {
    const { cosignatures = [], ...fields } = receipt;
    const checkpoint = `${receipt.checkpoint}${cosignatures.map((line) => `${line}\n`).join('')}`;
    expect(parseTlogProof(text)).toEqual({ ...fields, checkpoint });
    expect(await verify(text, options)).toMatchObject({ kind: 'receipt', ok: true, isComplete: true });
  });

  test.each<[string, (text: string) => string]>([
    ['another first line', (it) => it.replace('@v1', '@v2')],
    ['no line extra', (it) => it.replace(/extra .*\n/, '')],
    ['a line extra that is no JSON', (it) => it.replace(/extra .*/, 'extra AAAA')],
    ['an index with a leading zero', (it) => it.replace('index ', 'index 0')],
    ['no checkpoint', (it) => it.slice(0, it.indexOf('\n\n'))],
    ['another index', (it) => it.replace(/index \d+/, 'index 0')],
    ['a hash less', (it) => it.replace(/(index \d+\n).*\n/, '$1')],
    ['another hash', (it) => it.replace(/(index \d+\n)./, '$1/')],
  ])('with %s is not verified', async (_, change) => {
    const changed = change(text);
    expect(changed).not.toBe(text);
    expect(await verify(changed, options)).toMatchObject({ ok: false });
  });
});
