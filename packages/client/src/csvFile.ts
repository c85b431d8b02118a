/** The separators that `POST /imports` knows. */
export type Separator = 'comma' | 'semicolon' | 'tab';

/** The encodings that `POST /imports` knows. */
export const csvEncodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof csvEncodings)[number];

/** A file of a spreadsheet as text, and how it was read. */
export interface CsvFile {
  readonly text: string;
  /**
   * UTF-16 by its byte order mark, as in the Unicode text of spreadsheets. Otherwise guessed: a file most of
   * whose letters are not valid UTF-8 is taken for Windows-1252.
   */
  readonly encoding: Encoding;
  /** Guessed by the header line and the first rows. */
  readonly separator: Separator;
}

export const separatorCharacters: Readonly<Record<Separator, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
};

/**
 * Reads the bytes of a CSV. Name the separator in `POST /imports?separator=`. Both guesses can be
 * wrong, so show them to a person, who can pass another encoding.
 */
export function readCsvFile(bytes: Uint8Array, encoding: Encoding = encodingOf(bytes)): CsvFile {
  const decode = csvDecoder(encoding);
  const text = decode(bytes) + decode();
  return { text, encoding, separator: separatorOf(text) };
}

/** As of `CsvFile.encoding`. UTF-8 with a few bytes that are none stays UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const marked = markedAs(bytes);
  if (marked) return marked;
  if (isUtf8(bytes)) return 'utf-8';
  let [letters, faults] = [0, 0];
  for (const character of new TextDecoder().decode(bytes)) {
    if (character === UNREADABLE) faults += 1;
    else if (character > '\u007f') letters += 1;
  }
  return letters > faults ? 'utf-8' : 'windows-1252';
}

const UNREADABLE = '\ufffd';

/** Decodes a file piece by piece, without its byte order mark. The last call is without a piece. */
export function csvDecoder(encoding: Encoding): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding);
  const decode = (piece?: Uint8Array) => decoder.decode(piece, { stream: piece !== undefined });
  if (encoding !== 'windows-1252') return decode;
  return (piece) => decode(piece).replace(C1, (code) => WINDOWS[code.charCodeAt(0) - 0x80] ?? code);
}

/** Node 20 decodes windows-1252 as Latin-1, where these are control characters. */
const C1 = /[\u0080-\u009f]/g;
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function markedAs([first, second]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The one that splits the header into most columns, each candidate weighed by its share of rows that
 * have as many cells as the header: single rows may be too short or too long. A comma if none splits
 * the header.
 */
export function separatorOf(text: string): Separator {
  const weightOf = (separator: Separator) => {
    const rows = csvRows(text.slice(0, COMPARED_CHARACTERS), separator, COMPARED_ROWS);
    const columns = rows[0]?.length ?? 1;
    const alike = rows.filter((cells) => cells.length === columns);
    return (columns - 1) * (alike.length / Math.max(1, rows.length));
  };
  const candidates: readonly Separator[] = ['comma', 'semicolon', 'tab'];
  return candidates.reduce((best, next) => (weightOf(next) > weightOf(best) ? next : best));
}

const COMPARED_CHARACTERS = 64 * 1024;
const COMPARED_ROWS = 20;

/**
 * The first rows of a CSV (RFC 4180), the header line among them, for showing. More tolerant than
 * the service, which refuses quotation marks in the middle of a cell.
 */
export function csvRows(text: string, separator: Separator, maxRows: number): string[][] {
  const between = separatorCharacters[separator];
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    if (cells.length > 0 || cell !== '') rows.push([...cells, cell]);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < maxRows; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === between) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') endRow();
    else cell += character;
  }
  if (rows.length < maxRows) endRow();
  return rows;
}

/** Rows as a CSV that `POST /imports` accepts. */
export function csvText(rows: readonly (readonly string[])[], separator: Separator = 'comma'): string {
  const between = separatorCharacters[separator];
  const needsQuotes = (cell: string) => /["\r\n]/.test(cell) || cell.includes(between);
  const quoted = (cell: string) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => `${cells.map(quoted).join(between)}\r\n`).join('');
}
