import { join } from 'node:path';
import { readWholeFile, writeWholeFile } from '../../kit/wholeFile.js';

/**
 * The newest checkpoint, kept outside of the database: a restored backup that lost signed leaves is
 * found at the start. Null where no folder is known.
 */
export interface HeadFile {
  readonly name: string;
  read(): Promise<string | null>;
  write(note: string): Promise<void>;
}

/** The file `log-head` in a folder; `log-head-g1` for the log of ledger group 1. */
export function headFileIn(folder: string, group: number): HeadFile {
  const name = group === 0 ? 'log-head' : `log-head-g${group}`;
  const file = join(folder, name);
  return {
    name,
    read: () => readWholeFile(file),
    write: (note) => writeWholeFile(file, note),
  };
}
