import { ConfigError } from '../config.js';
import { isForOperator } from '../exit.js';
import { isDatabaseUnavailable } from '../kit/db/database.js';
import { GroupsError } from '../ledger/groups/groups.js';
import { CommandError } from './commandError.js';

/**
 * Runs a command on the database and returns its exit code: that of `work`, 1 if it failed, 2 for an
 * invalid argument or configuration. Errors that the operator can mend are printed without a stack.
 */
export async function runCommand(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    console.error(isPlain(error) ? error.message : error);
    return isUsage(error) ? 2 : 1;
  }
}

function isPlain(error: unknown): error is Error {
  return (
    isUsage(error) || isForOperator(error) || error instanceof GroupsError || isDatabaseUnavailable(error)
  );
}

function isUsage(error: unknown): boolean {
  const isOfParseArgs = error instanceof TypeError && 'code' in error;
  return error instanceof CommandError || error instanceof ConfigError || isOfParseArgs;
}
