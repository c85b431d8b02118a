import type { Database } from '../kit/db/database.js';
import { ConfigError } from '../start/config.js';

/** The ledger group that `--group` names. Throws ConfigError. */
export function groupNamed(groups: readonly Database[], name: string): Database {
  const found = groups.find(({ ledgers }) => String(ledgers.own) === name);
  if (found) return found;
  throw new ConfigError(`There is no ledger group ${name}. Groups: 0 to ${groups.length - 1}.`);
}
