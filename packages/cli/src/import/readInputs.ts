import { readFile } from 'node:fs/promises';
import { readCsvFile, type Separator, separatorCharacters } from '@reliability/client/csv-file';
import { type ImportFile, readImportFile } from '../../../service/src/features/intake/imports/readFile.js';
import { UsageError } from '../commandError.js';

/** The parsed CSV file and the parsed JSON of the mapping. */
export interface Inputs {
  readonly path: string;
  /** In UTF-8. */
  readonly bytes: Buffer;
  readonly separator: Separator;
  readonly file: ImportFile;
  readonly mapping: unknown;
  /** Whether rows that were recorded by another import are skipped. */
  readonly hasRowKeys: boolean;
  /** What was guessed, and what to beware of. */
  readonly notes: readonly string[];
}

/**
 * Throws UsageError, or the ServiceError that the service would answer, before anything is sent.
 * @param separatorName Default: recognised by the first rows.
 */
export async function readInputs(
  path: string,
  mappingPath: string,
  separatorName: string | undefined,
): Promise<Inputs> {
  const named = separatorName === undefined ? undefined : separatorNamed(separatorName);
  const mapping = jsonOf(await contentOf(mappingPath), mappingPath);
  const { bytes, separator, notes } = asText(await contentOf(path), named);
  // The service enforces its own limit.
  const file = await readImportFile(bytes, { maxRows: Number.POSITIVE_INFINITY, separator });
  const hasRowKeys = typeof mapping === 'object' && mapping !== null && 'idempotencyKey' in mapping;
  return {
    ...{ path, bytes, separator, file, mapping, hasRowKeys },
    notes: hasRowKeys ? notes : [...notes, NO_ROW_KEYS],
  };
}

const NO_ROW_KEYS =
  'The mapping has no idempotencyKey: rows that come again in a changed file are recorded twice. Live outcomes cannot be taken back.';

function separatorNamed(name: string): Separator {
  if (Object.hasOwn(separatorCharacters, name)) return name as Separator;
  throw new UsageError(`--separator must be ${Object.keys(separatorCharacters).join(', ')}, not ${name}.`);
}

function asText(file: Buffer, named: Separator | undefined): Pick<Inputs, 'bytes' | 'separator' | 'notes'> {
  const { text, encoding, separator: recognised } = readCsvFile(file);
  const separator = named ?? recognised;
  // Windows-1252 has no NUL: the service names its line.
  const isOther = encoding === 'windows-1252' ? !file.includes(0) : encoding !== 'utf-8';
  const name = encoding === 'windows-1252' ? 'Windows-1252' : 'UTF-16';
  return {
    bytes: isOther ? Buffer.from(text) : file,
    separator,
    notes: [
      ...(isOther ? [`The file is not UTF-8. It is read as ${name}.`] : []),
      ...(separator === 'comma' ? [] : [`Cells are separated by ${separator}s.`]),
    ],
  };
}

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
