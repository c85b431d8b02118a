import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataKeyState } from '../../ledger/dataKey.js';
import type { Config } from '../../start/config.js';
import { dataKeyFiles, findDataKeys } from '../../start/firstStart.js';
import { type Finding, failed, fine, warning } from './check.js';
import type { DatabaseFacts } from './checkDatabase.js';

export async function* checkKeys(config: Config, { keyState }: DatabaseFacts): AsyncGenerator<Finding> {
  const { databaseUrl, dataKey, adminSecret } = config;
  if (databaseUrl === undefined && dataKey === undefined) return yield checkFiles(config);
  await findDataKeys(config); // throws if DATA_KEY is missing
  yield keyState === null ? fine('DATA_KEY is set.') : states[keyState];
  if (databaseUrl !== undefined && adminSecret === undefined)
    yield warning('ADMIN_SECRET is not set, so nobody can create platforms. Set it to open /admin.');
}

/** The key of the embedded database is a file. */
function checkFiles(config: Config): Finding {
  const { current } = dataKeyFiles(config);
  if (existsSync(current)) return fine(`The key that encrypts secrets is in ${current}. Back it up.`);
  if (!existsSync(join(config.dataDir, 'database')))
    return fine(`The first start generates them in ${config.dataDir}.`);
  return failed(
    `The key of the database, ${current}, is missing. Restore the file from a backup, or set DATA_KEY to its content.`,
  );
}

const states: Readonly<Record<DataKeyState, Finding>> = {
  current: fine('DATA_KEY is the key of the database.'),
  previous: warning('DATA_KEY is new. Run `reliability rotate-data-key` to encrypt the secrets with it.'),
  rotating: warning('A rotation of DATA_KEY has not ended. Run `reliability rotate-data-key` again.'),
  previousMissing: failed(
    'DATA_KEY is being replaced. Set DATA_KEY_PREVIOUS to the former key until `reliability rotate-data-key` has ended.',
  ),
  unknown: failed('DATA_KEY is not the key of this database. Set it to the original key.'),
};
