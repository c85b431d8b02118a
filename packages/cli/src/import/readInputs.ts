import { readFile } from 'node:fs/promises';
import {
  csvEncodings,
  type Encoding,
  readCsvFile,
  type Separator,
  separatorOf,
} from '@reliability/client/csv-file';
import type { ColumnFormat } from '../../../service/src/features/intake/imports/formats.js';
import { type ImportFile, readImportFile } from '../../../service/src/features/intake/imports/readFile.js';
import type { Arguments } from '../arguments.js';
import { UsageError } from '../commandError.js';
import { dateFormats, formatsOf, named, numberFormats, separatorNames, withFormats } from './formats.js';

/** A CSV file, and what was recognised in it. */
export interface CsvInput {
  readonly path: string;
  /** In UTF-8. */
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly separator: Separator;
  readonly file: ImportFile;
  readonly formats: readonly ColumnFormat[];
  /** What was recognised, and what to beware of. */
  readonly notes: readonly string[];
}

export interface Inputs extends CsvInput {
  /** JSON. */
  readonly mapping: unknown;
  /** Whether rows that were recorded by another import are skipped. */
  readonly hasRowKeys: boolean;
}

/** Throws UsageError, or the ServiceError that the service would answer, before anything is sent. */
export async function readCsv(path: string, args: Arguments): Promise<CsvInput> {
  const givenEncoding = named('encoding', args.text('encoding'), csvEncodings);
  const givenSeparator = named('separator', args.text('separator'), separatorNames);
  const content = await contentOf(path);
  const { text, encoding } = readCsvFile(content, givenEncoding);
  const separator = givenSeparator ?? separatorOf(text);
  const bytes = encoding === 'utf-8' ? content : Buffer.from(text);
  // The service enforces its own limit.
  const file = await readImportFile(bytes, { maxRows: Number.POSITIVE_INFINITY, separator });
  const notes = [
    ...(encoding === 'utf-8' ? [] : [`The file is not UTF-8. It is read as ${ENCODING_NAMES[encoding]}.`]),
    ...(separator === 'comma' ? [] : [`Cells are separated by ${separator}s.`]),
  ];
  return { path, bytes, encoding, separator, file, formats: formatsOf(file), notes };
}

const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

/** Adds the rules. Throws UsageError. */
export async function withMapping(csv: CsvInput, mappingPath: string, args: Arguments): Promise<Inputs> {
  const rules = jsonOf(await contentOf(mappingPath), mappingPath);
  const { mapping, notes } = withFormats(rules, csv.formats, {
    date: named('dates', args.text('dates'), dateFormats),
    number: named('decimals', args.text('decimals'), numberFormats),
  });
  const hasRowKeys = typeof mapping === 'object' && mapping !== null && 'idempotencyKey' in mapping;
  const all = [...csv.notes, ...notes, ...(hasRowKeys ? [] : [NO_ROW_KEYS])];
  return { ...csv, mapping, hasRowKeys, notes: all };
}

const NO_ROW_KEYS =
  'The mapping has no idempotencyKey: rows that come again in a changed file are recorded twice. Live outcomes cannot be taken back.';

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new UsageError(`There is no file ${path}.`);
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function jsonOf(content: Buffer, path: string): unknown {
  try {
    return JSON.parse(content.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
