import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import { argumentErrorText } from '#kit/terminal.js';
import { GroupsError } from '#ledger/groups/store.js';
import { ConfigError } from '../start/config.js';
import { isForOperator } from '../start/exit.js';
import { type Option, type Options, readArguments } from './options.js';

/** The exit code of `work`; 1: failed; 2: invalid argument or settings, printed without a stack. */
export async function runCommand(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const wrongArgument = argumentErrorText(error);
    console.error(wrongArgument ?? (isForOperator(error) || isKnown(error) ? error.message : error));
    return wrongArgument !== null || isUsage(error) ? 2 : 1;
  }
}

function isKnown(error: unknown): error is Error {
  return isUsage(error) || error instanceof GroupsError || isDatabaseUnavailable(error);
}

function isUsage(error: unknown): boolean {
  return error instanceof CommandError || error instanceof ConfigError;
}

export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export type ProgramOutput = ReturnType<typeof programOutput>;

function programOutput(isJson: boolean | undefined) {
  return {
    /** A line for people. With --json it goes to stderr. */
    say: (line: string) => (isJson ? console.error(line) : console.log(line)),
    /** The result as JSON on stdout, with --json alone. */
    result(value: unknown) {
      if (isJson) console.log(JSON.stringify(value, null, 2));
    },
  };
}

type Arguments<Known extends Options> = ReturnType<typeof readArguments<Known>>;

export function runProgram<Known extends Options & { json: Option }>(
  program: { options: Known; usage?: string },
  work: (given: Arguments<Known>, output: ProgramOutput) => Promise<number>,
): Promise<number> {
  return runCommand(async () => {
    const given = readArguments(program);
    return work(given, programOutput(Boolean(given.values.json)));
  });
}

/** Throws CommandError: `wanted`, and what was given. */
export function countIn(text: string, min: number, max: number, wanted: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= min && count <= max) return count;
  throw new CommandError(`${wanted}: ${text}`);
}

/** The ledger group that `--group` names. Throws ConfigError. */
export function groupNamed(groups: readonly Database[], name: string): Database {
  const found = groups.find(({ ledgers }) => String(ledgers.own) === name);
  if (found) return found;
  throw new ConfigError(`There is no ledger group ${name}. Groups: 0 to ${groups.length - 1}.`);
}
