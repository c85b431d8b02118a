import { ServiceError } from '../../../service/src/domain/errors.js';
import { positionalsOf } from '../arguments.js';
import type { Context } from '../command.js';
import { UsageError } from '../commandError.js';
import { refusalText } from '../errorText.js';
import { exitCodes } from '../exitCodes.js';
import type { Output } from '../output.js';
import { readSettings, requireKey } from '../settings.js';
import { dryRun } from './dryRun.js';
import { formatLine } from './formats.js';
import { type CsvInput, readCsv, withMapping } from './readInputs.js';
import { sendFile } from './sendFile.js';

/** Imports a CSV file and waits until the import ends. */
export async function importFile(context: Context): Promise<number> {
  const { args, output } = context;
  const { 'file.csv': path } = positionalsOf(args, 'file.csv');
  const mapping = args.text('mapping');
  try {
    const csv = await readCsv(path, args);
    if (args.isSet('detect')) return showFormats(csv, output);
    if (mapping === undefined) throw new UsageError(NO_MAPPING);
    const inputs = await withMapping(csv, mapping, args);
    for (const note of inputs.notes) output.say(note);
    if (args.isSet('dry-run')) {
      const { key } = await readSettings(context);
      return await dryRun(inputs, { livemode: !key?.startsWith('crd_test_'), now: new Date(), output });
    }
    const { url, key } = await requireKey(context);
    return await sendFile(inputs, { url, key, output });
  } catch (error) {
    // The same that the service would answer, found before anything was sent.
    if (error instanceof ServiceError)
      throw new UsageError(refusalText(error.code, error.message, error.details));
    throw error;
  }
}

const NO_MAPPING =
  '--mapping is missing: a JSON file with the rules. --detect shows how the file is written, for its transforms.';

function showFormats({ encoding, separator, file, formats }: CsvInput, output: Output): number {
  const totalRows = file.rows.length;
  output.result({ encoding, separator, totalRows, header: file.header, columns: formats }, () => [
    `Encoding: ${encoding}. Separator: ${separator}. Rows: ${totalRows}.`,
    `Columns: ${file.header.join(', ')}.`,
    ...formats.map(formatLine),
  ]);
  return exitCodes.done;
}
