import { readFile } from 'node:fs/promises';
import { type ImportFile, readImportFile } from '../../features/intake/imports/readFile.js';
import { CommandError } from '../commandError.js';

/** The parsed CSV file and the parsed JSON of the mapping. */
export interface Inputs {
  readonly path: string;
  readonly bytes: Buffer;
  readonly file: ImportFile;
  readonly mapping: unknown;
}

/**
 * Throws CommandError, or the ServiceError that the service would answer, before anything is sent.
 */
export async function readInputs(path: string, mappingPath: string): Promise<Inputs> {
  const mapping = jsonOf(await contentOf(mappingPath), mappingPath);
  const bytes = await contentOf(path);
  // The service enforces its own limit.
  const file = await readImportFile(bytes, { maxRows: Number.POSITIVE_INFINITY });
  return { path, bytes, file, mapping };
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new CommandError(`There is no file ${path}.`);
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function jsonOf(content: Buffer, path: string): unknown {
  try {
    return JSON.parse(content.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
