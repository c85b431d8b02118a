import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { ServiceError } from '../domain/errors.js';
import { systemClock } from '../kit/clock.js';
import { dryRun } from './import/dryRun.js';
import { ImportError, refusalText } from './import/importError.js';
import { readInputs } from './import/readInputs.js';
import { sendFile } from './import/sendFile.js';

const USAGE = `npm run import -- file.csv --mapping mapping.json [--dry-run]
  --mapping FILE   the rules that make events of rows, as JSON
  --key KEY        the API key; better in IMPORT_KEY, where no shell history keeps it
  --url ADDRESS    of the service; http://localhost:3000 unless told
  --dry-run        shows the first events and what would fail, and sends nothing`;

/*
 * Imports a CSV and waits for its end. Exit codes: 0 every row is in the ledger, 2 some rows failed, 1 nothing was imported or it is
 * not known what was.
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
  if (path === undefined || others.length > 0 || values.mapping === undefined) throw new ImportError(USAGE);
  const config = readConfig();
  const key = values.key ?? config.importKey;
  const inputs = await readInputs(path, values.mapping);
  const output = process.stdout;
  if (values['dry-run']) {
    const livemode = !key?.startsWith('crd_test_');
    return dryRun(inputs, { livemode, now: systemClock.now(), maxRows: config.importMaxRows, output });
  }
  if (key === undefined)
    throw new ImportError('An API key is needed: IMPORT_KEY in the environment, or --key.');
  const url = values.url?.replace(/\/+$/, '') ?? `http://localhost:${config.port}`;
  return sendFile(inputs, { url, key, output });
}

function isPlain(error: unknown): error is Error {
  if (error instanceof ImportError || error instanceof ConfigError) return true;
  // What parseArgs says about an option is meant for people.
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
