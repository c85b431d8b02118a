import { argumentErrorText } from '../kit/argumentError.js';
import { isDatabaseUnavailable } from '../kit/db/database.js';
import { GroupsError } from '../ledger/groups/groupsError.js';
import { ConfigError } from '../start/config.js';
import { isForOperator } from '../start/exit.js';
import { CommandError } from './commandError.js';

/**
 * Runs a command on the database and returns its exit code: that of `work`, 1 if it failed, 2 for an
 * invalid argument or configuration. Errors that the operator can mend are printed without a stack.
 */
export async function runCommand(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const wrongArgument = argumentErrorText(error);
    console.error(wrongArgument ?? (isPlain(error) ? error.message : error));
    return wrongArgument !== null || isUsage(error) ? 2 : 1;
  }
}

function isPlain(error: unknown): error is Error {
  return (
    isUsage(error) || isForOperator(error) || error instanceof GroupsError || isDatabaseUnavailable(error)
  );
}

function isUsage(error: unknown): boolean {
  return error instanceof CommandError || error instanceof ConfigError;
}
