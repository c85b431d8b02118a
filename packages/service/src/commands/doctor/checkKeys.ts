import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataKeyState } from '../../ledger/dataKey.js';
import type { Config } from '../../start/config.js';
import { dataKeyFiles, findDataKeys } from '../../start/firstStart.js';
import { type Check, failed, fine, warning } from './check.js';

const NAME = 'keys';

export async function checkKeys(config: Config, state: DataKeyState | null): Promise<Check[]> {
  const { databaseUrl, dataKey, adminSecret } = config;
  if (databaseUrl === undefined && dataKey === undefined) return checkFiles(config);
  await findDataKeys(config); // throws if DATA_KEY is missing
  const checks = state === null ? [fine(NAME, 'DATA_KEY is set.')] : [checkState(state)];
  const isClosed = databaseUrl !== undefined && adminSecret === undefined;
  return isClosed
    ? [
        ...checks,
        warning(NAME, 'ADMIN_SECRET is not set, so nobody can create platforms. Set it to open /admin.'),
      ]
    : checks;
}

/** The key of the embedded database is a file. */
function checkFiles(config: Config): Check[] {
  const { current } = dataKeyFiles(config);
  if (existsSync(current)) return [fine(NAME, `The key that encrypts secrets is in ${current}. Back it up.`)];
  if (!existsSync(join(config.dataDir, 'database')))
    return [fine(NAME, `The first start generates them in ${config.dataDir}.`)];
  return [
    failed(
      NAME,
      `The key of the database, ${current}, is missing. Restore the file from a backup, or set DATA_KEY to its content.`,
    ),
  ];
}

function checkState(state: DataKeyState): Check {
  switch (state) {
    case 'current':
      return fine(NAME, 'DATA_KEY is the key of the database.');
    case 'previous':
      return warning(
        NAME,
        'DATA_KEY is new. Run `reliability rotate-data-key` to encrypt the secrets with it.',
      );
    case 'rotating':
      return warning(NAME, 'A rotation of DATA_KEY has not ended. Run `reliability rotate-data-key` again.');
    case 'previousMissing':
      return failed(
        NAME,
        'DATA_KEY is being replaced. Set DATA_KEY_PREVIOUS to the former key until `reliability rotate-data-key` has ended.',
      );
    case 'unknown':
      return failed(NAME, 'DATA_KEY is not the key of this database. Set it to the original key.');
  }
}
