import { readFile } from 'node:fs/promises';
import { type ImportFile, readImportFile } from '../../features/intake/imports/readFile.js';
import { ImportError } from './importError.js';

/** The file and the mapping, read and found to be a CSV and JSON. */
export interface Inputs {
  readonly path: string;
  readonly bytes: Buffer;
  readonly file: ImportFile;
  readonly mapping: unknown;
}

/** Throws ImportError, or the ServiceError that the service would answer with: what is wrong with a file shows before it is sent. */
export async function readInputs(path: string, mappingPath: string): Promise<Inputs> {
  const mapping = jsonOf(await contentOf(mappingPath), mappingPath);
  const bytes = await contentOf(path);
  // How many rows are too many is the service's to say.
  const file = await readImportFile(bytes, { maxRows: Number.POSITIVE_INFINITY });
  return { path, bytes, file, mapping };
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new ImportError(`There is no file ${path}.`);
    throw new ImportError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function jsonOf(content: Buffer, path: string): unknown {
  try {
    return JSON.parse(content.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new ImportError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
