import { isAscii, isUtf8 } from 'node:buffer';
import {
  csvDecoder,
  type Encoding,
  encodingOf,
  type Separator,
  separatorCharacters,
  separatorOf,
} from '@reliability/client/csv-file';
import { shortened, Unusable } from '#domain/mapping/unusable.js';
import { dateTransforms, transforms } from '#domain/mapping/values.js';
import { createYielder } from '#kit/backpressure/yielder.js';
import { freeBlocks } from '#kit/largeMemory.js';
import type { ColumnFormat, Format, Formats } from './formats.js';
import { type ReadOptions, scanImportFile } from './readFile.js';

/** All but `decimal_point`, which needs none, are transforms. */
const formatsOf = { date: dateTransforms, number: ['decimal_point', 'decimal_comma'] } as const;
const formats: readonly Format[] = [...formatsOf.date, ...formatsOf.number];

/** A file of which a person may have named the encoding or the separator. */
export interface UnknownFile extends Omit<ReadOptions, 'yieldTurn'> {
  /** Freed when they have been read. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What `separatorOf` looks at. */
const HEAD_BYTES = 256 * 1024;

/** What a file shows about its own formats. Where several readings are possible it proposes none. */
export async function detectFormats(file: UnknownFile, yieldTurn = createYielder()): Promise<Formats> {
  const { bytes } = file;
  try {
    const recognised = encodingOf(bytes);
    const encoding = file.encoding ?? recognised;
    const head = csvDecoder(encoding)(bytes.subarray(0, HEAD_BYTES));
    const bySeparator = separatorOf(head);
    const collector = createFormatCollector();
    const separator = file.separator ?? bySeparator;
    const options = { ...file, encoding, separator, yieldTurn };
    const totalRows = await scanImportFile(bytes, collector, options);
    const [headerLine = ''] = head.split(/[\r\n]/, 1);
    const characters = Object.entries(separatorCharacters) as [Separator, string][];
    const others = characters.filter(([name, it]) => name !== bySeparator && headerLine.includes(it));
    return {
      encoding: encodingFormat(bytes, recognised),
      separator: {
        proposed: bySeparator,
        decidedBy: { line: 1, value: shortened(headerLine) },
        alternatives: others.map(([name]) => name),
      },
      totalRows,
      columns: collector.columns(),
    };
  } finally {
    freeBlocks([bytes]);
  }
}

function encodingFormat(bytes: Uint8Array, proposed: Encoding): Formats['encoding'] {
  if (proposed === 'utf-8' && isAscii(bytes)) return { proposed, decidedBy: null, alternatives: [] };
  const isMarked = proposed.startsWith('utf-16');
  const isSign =
    proposed === 'utf-8' ? (line: Uint8Array) => !isAscii(line) : (line: Uint8Array) => !isUtf8(line);
  const found = isMarked ? { line: 1, bytes: bytes.subarray(0, 128) } : firstLine(bytes, isSign);
  const [value = ''] = csvDecoder(proposed)(found.bytes.subarray(0, 512)).split(/[\r\n]/, 1);
  const alternatives: Encoding[] = proposed === 'utf-8' ? ['windows-1252'] : [];
  return { proposed, decidedBy: { line: found.line, value: shortened(value) }, alternatives };
}

function firstLine(bytes: Uint8Array, isSign: (line: Uint8Array) => boolean) {
  for (let line = 1, start = 0; ; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    if (found === -1 || isSign(bytes.subarray(start, end)))
      return { line, bytes: bytes.subarray(start, end) };
    start = end + 1;
  }
}

interface Reading {
  reads: number;
  readonly first: { readonly value: string; readonly as: string | number };
  /** The first value that no other format can read. */
  decidedBy: ColumnFormat['decidedBy'];
}

/** What one column has shown so far. */
interface Seen {
  values: number;
  /** Whole numbers: every format of a number reads them alike. */
  plain: number;
  readonly readings: Map<Format, Reading>;
  /** The first value with several meanings, by format. */
  open: ReadonlyMap<Format, Reading['first']> | null;
}

/** Takes the rows of a file and finds out how their dates and numbers are written. */
export function createFormatCollector() {
  let names: readonly string[] = [];
  let columns: Seen[] = [];
  let room = MAX_LOOKED_AT;
  return {
    header(header: readonly string[]): void {
      names = header;
      columns = names.map(() => ({ values: 0, plain: 0, readings: new Map(), open: null }));
    },
    row(row: number, cells: readonly string[], fault?: string | null): void {
      if (fault || cells.length !== names.length) return;
      for (const [index, seen] of columns.entries()) {
        const cell = cells[index] ?? '';
        if (cell === '') continue;
        seen.values += 1;
        if (room > 0 && look(seen, row, cell)) room -= 1;
      }
    },
    columns: (): ColumnFormat[] => columns.flatMap((seen, index) => formatOf(names[index] ?? '', seen) ?? []),
  };
}

/** Dates and numbers of a file: each takes microseconds, and 32 MiB can hold eight million. */
const MAX_LOOKED_AT = 2_000_000;
const MAX_CELL = 64;
const PLAIN = /^[+-]?\d+$/;
const LIKELY = /^[+-]?\d/;

/** Whether the cell looks like a date or a number. */
function look(seen: Seen, row: number, cell: string): boolean {
  if (cell.length > MAX_CELL || !LIKELY.test(cell.trimStart())) return false;
  const value = cell.trim();
  if (PLAIN.test(value)) {
    seen.plain += 1;
    return false;
  }
  const meanings = new Map<Format, Reading['first']>();
  for (const format of formats) {
    const as = meaningOf(format, value);
    if (as !== undefined) meanings.set(format, { value, as });
  }
  for (const [format, first] of meanings) {
    const reading = seen.readings.get(format) ?? { reads: 0, first, decidedBy: null };
    seen.readings.set(format, reading);
    // Such a number has to lose its commas before it can be imported.
    if (format !== 'decimal_point' || !value.includes(',')) reading.reads += 1;
    if (meanings.size === 1) reading.decidedBy ??= { row, value };
  }
  const differ = new Set([...meanings.values()].map(({ as }) => as)).size > 1;
  if (differ) seen.open ??= meanings;
  return true;
}

const POINT = /^[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

function meaningOf(format: Format, value: string): string | number | undefined {
  if (format === 'decimal_point') return POINT.test(value) ? Number(value.replaceAll(',', '')) : undefined;
  const read = transforms[format](value);
  return read instanceof Unusable ? undefined : (read as string | number);
}

function formatOf(column: string, { values, plain, readings, open }: Seen): ColumnFormat | null {
  for (const kind of ['date', 'number'] as const) {
    const possible = formatsOf[kind].flatMap((format) => {
      const reading = readings.get(format);
      return reading ? [{ format, ...reading }] : [];
    });
    const alike = kind === 'number' ? plain : 0;
    const most = Math.max(...possible.map(({ reads }) => reads)) + alike;
    // Else it is a text, some of whose values look like this.
    if (possible.length === 0 || most * 2 < values) continue;
    const deciding = possible.filter(({ decidedBy }) => decidedBy !== null);
    const chosen = deciding.length === 1 ? deciding[0] : null;
    const alternatives = possible
      .filter((reading) => reading !== chosen)
      .map(({ format, reads, first }) => {
        return { format, reads: reads + alike, example: open?.get(format) ?? first };
      });
    const { format: proposed = null, decidedBy = null } = chosen ?? {};
    return { column, kind, values, proposed, decidedBy, alternatives };
  }
  return null;
}
