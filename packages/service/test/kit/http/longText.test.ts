import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { separateText } from '#kit/http/text.js';

function separate(json: string) {
  const { rest, text, storageError } = separateText(Buffer.from(json), 'csv');
  return {
    rest: JSON.parse(Buffer.from(rest).toString()),
    text: text && Buffer.from(text).toString(),
    storageError,
  };
}

/** Every character of a text as an escape, or none. */
const escaped = (text: string) =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

describe('the file of a JSON body', () => {
  test('is the text that JSON.parse reads, however it is escaped', () => {
    const storable = fc
      .string({ unit: 'binary' })
      .filter((text) => text.isWellFormed() && !text.includes('\0'));
    fc.assert(
      fc.property(storable, fc.boolean(), fc.json(), (csv, isEscaped, other) => {
        const value = isEscaped ? `"${escaped(csv)}"` : JSON.stringify(csv);
        const read = separate(`{"a": {"csv": ${other}}, "csv" : ${value}, "b": ${other}}`);
        expect(read.text).toBe(csv);
        expect(read.rest).toEqual({ a: { csv: JSON.parse(other) }, csv: '', b: JSON.parse(other) });
        expect(read.storageError).toBeNull();
      }),
    );
  });

  test.each(['{"a":{"csv":"b"}}', '["csv"]', '{"a":"csv"}', '{"csv":1}'])('is not in %s', (json) => {
    expect(separate(json)).toEqual({ rest: JSON.parse(json), text: null, storageError: null });
  });

  test('is found under an escaped name', () => {
    expect(separate('{"\\u0063sv":"a"}').text).toBe('a');
  });

  test.each(['\\ud800', '\\udc00\\ud800', 'a\\u0000'])('cannot be stored with %s', (text) => {
    expect(separate(`{"csv":"${text}"}`).storageError).toMatchObject({ path: 'csv', code: 'invalid_format' });
  });

  test.each(['\\x', '\\u12g4', '\n', '\\u12'])('is refused with %j', (text) => {
    expect(() => separate(`{"csv":"${text}"}`)).toThrow(/not JSON/);
  });

  test('leaves 1 MiB to all other members', () => {
    const beside = (bytes: number) => `{"csv":"${'a'.repeat(2 ** 21)}","b":"${'c'.repeat(bytes)}"}`;
    expect(separate(beside(1_000_000)).text).toHaveLength(2 ** 21);
    expect(() => separate(beside(2 ** 20))).toThrow(/except `csv` may have 1 MiB/);
  });
});
