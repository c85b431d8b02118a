import { describe, expect, test } from 'vitest';
import { csvRows, csvText, readCsvFile } from '../src/csvFile.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a CSV of a spreadsheet', () => {
  test('is recognised by its header line, whatever separates its columns', () => {
    expect(readCsvFile(bytes('id,"name; first",b\r\n1;2;3;4;5,x,y\r\n')).separator).toBe('comma');
    expect(readCsvFile(bytes('id;"a,b,c,d";ok\r\n1,5;2;3\r\n1;2,5;3\r\n')).separator).toBe('semicolon');
    expect(readCsvFile(bytes('id\tname, first\n1\tAda\n2\tBob\n')).separator).toBe('tab');
    expect(readCsvFile(bytes('id;price, EUR;date\n1;2,50;x\n2;3,10;y\n3;4;\n')).separator).toBe('semicolon');
    expect(readCsvFile(bytes('id\n1')).separator).toBe('comma');
    expect(readCsvFile(bytes('id\n1;2\n')).separator).toBe('comma');
    expect(readCsvFile(new Uint8Array()).separator).toBe('comma');
  });

  test('is recognised although some of its rows have too many or too few cells', () => {
    const rows = ['1;a;b;c;d', '2;"x;y";b;c;d;e', '3', '4;a;b;c;d'];
    const text = ['id;name;from;to;ok', ...rows].join('\r\n');
    expect(readCsvFile(bytes(text)).separator).toBe('semicolon');
    expect(readCsvFile(bytes(text.replaceAll(';', ','))).separator).toBe('comma');
  });

  test('is UTF-8 without its byte order mark, and Windows-1252 if it is no valid UTF-8', () => {
    expect(readCsvFile(bytes('\uFEFFid,Straße\n'))).toEqual({
      text: 'id,Straße\n',
      encoding: 'utf-8',
      separator: 'comma',
    });
    const excel = new Uint8Array([...bytes('id;Stra'), 0xdf, ...bytes('e;Preis in '), 0x80, 0x0a]);
    expect(readCsvFile(excel)).toEqual({
      text: 'id;Straße;Preis in €\n',
      encoding: 'windows-1252',
      separator: 'semicolon',
    });
    expect(readCsvFile(excel, 'utf-8').text).toContain('Stra\uFFFDe');
  });

  test('stays UTF-8 although some of its bytes are none', () => {
    const file = new Uint8Array([...bytes('id;Straße\nä;ö\n'), 0xff, ...bytes('\n')]);
    expect(readCsvFile(file)).toMatchObject({ encoding: 'utf-8', text: 'id;Straße\nä;ö\n\uFFFD\n' });
  });

  test.each([
    ['utf-16le', [0xff, 0xfe], 0],
    ['utf-16be', [0xfe, 0xff], 1],
  ] as const)('is %s if it begins with this byte order mark', (encoding, mark, low) => {
    const text = 'id\tStraße\n1\t€\n';
    const units = [...text].flatMap((character) => {
      const pair = [character.charCodeAt(0) & 0xff, character.charCodeAt(0) >> 8];
      return low === 0 ? pair : pair.reverse();
    });
    const file = new Uint8Array([...mark, ...units]);
    expect(readCsvFile(file)).toEqual({ text, encoding, separator: 'tab' });
  });

  test('is split into cells, with quoted separators, line breaks and quotation marks', () => {
    const text = 'a;b\r\n"x;y";"say ""hi""\nthere"\r\n\r\n;last';
    expect(csvRows(text, 'semicolon', 10)).toEqual([
      ['a', 'b'],
      ['x;y', 'say "hi"\nthere'],
      ['', 'last'],
    ]);
    expect(csvRows(text, 'semicolon', 1)).toEqual([['a', 'b']]);
  });

  test('reads as it was written', () => {
    const rows = [
      ['a', 'b,c', 'd;e'],
      ['', 'say "hi"', 'two\r\nlines'],
    ];
    expect(csvRows(csvText(rows), 'comma', 9)).toEqual(rows);
    expect(csvRows(csvText(rows, 'semicolon'), 'semicolon', 9)).toEqual(rows);
  });
});
