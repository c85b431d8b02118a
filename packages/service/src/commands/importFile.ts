import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { ServiceError } from '../domain/errors.js';
import { systemClock } from '../kit/clock.js';
import { CommandError, refusalText } from './commandError.js';
import { dryRun } from './import/dryRun.js';
import { readInputs } from './import/readInputs.js';
import { sendFile } from './import/sendFile.js';

const USAGE = `npm run import -- file.csv --mapping mapping.json [--dry-run]
  --mapping FILE   JSON file with the rules that turn rows into events
  --key KEY        API key; prefer the variable IMPORT_KEY, which stays out of the shell history
  --url ADDRESS    address of the service; default: http://localhost:3000
  --dry-run        prints the first events and the rows that would fail, and sends nothing`;

/*
 * Imports a CSV file and waits until the import ends. Exit codes: 0 all rows are in the ledger, 2
 * some rows failed, 1 nothing was imported or the result is unknown.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await importFile();
  } catch (error) {
    if (error instanceof ServiceError) console.error(refusalText(error.code, error.message, error.details));
    else console.error(isPlain(error) ? error.message : error);
    return 1;
  }
}

async function importFile(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      mapping: { type: 'string' },
      key: { type: 'string' },
      url: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0 || values.mapping === undefined) throw new CommandError(USAGE);
  const config = readConfig();
  const key = values.key ?? config.importKey;
  const inputs = await readInputs(path, values.mapping);
  const output = process.stdout;
  if (values['dry-run']) {
    const livemode = !key?.startsWith('crd_test_');
    return dryRun(inputs, { livemode, now: systemClock.now(), maxRows: config.importMaxRows, output });
  }
  if (key === undefined) throw new CommandError('The API key is missing. Set IMPORT_KEY or give --key.');
  const url = values.url?.replace(/\/+$/, '') ?? `http://localhost:${config.port}`;
  return sendFile(inputs, { url, key, output });
}

function isPlain(error: unknown): error is Error {
  if (error instanceof CommandError || error instanceof ConfigError) return true;
  // Errors of parseArgs are written for users.
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
