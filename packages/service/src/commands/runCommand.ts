import { type Database, isDatabaseUnavailable } from '../kit/db/database.js';
import { argumentErrorText } from '../kit/terminal.js';
import { GroupsError } from '../ledger/groups/store.js';
import { ConfigError } from '../start/config.js';
import { isForOperator } from '../start/exit.js';

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

/** An invalid argument. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface ProgramOutput {
  /** A line for people. With --json it goes to stderr. */
  say(line: string): void;
  /** The result as JSON on stdout, with --json alone. */
  result(value: unknown): void;
}

export function programOutput(isJson = false): ProgramOutput {
  return {
    say: (line) => (isJson ? console.error(line) : console.log(line)),
    result(value) {
      if (isJson) console.log(JSON.stringify(value, null, 2));
    },
  };
}

/** The ledger group that `--group` names. Throws ConfigError. */
export function groupNamed(groups: readonly Database[], name: string): Database {
  const found = groups.find(({ ledgers }) => String(ledgers.own) === name);
  if (found) return found;
  throw new ConfigError(`There is no ledger group ${name}. Groups: 0 to ${groups.length - 1}.`);
}
