import { parseArgs } from 'node:util';
import { type Options, parseConfigOf } from '../../service/src/commands/options.js';
import { argumentErrorText } from '../../service/src/kit/terminal.js';
import { UsageError } from './commandError.js';

type Value = string | boolean | (string | boolean)[] | undefined;

/** The arguments of one command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The value of an option, if it was given. */
  text(option: string): string | undefined;
  isSet(option: string): boolean;
  /** The values of an option that can be repeated. */
  list(option: string): string[];
  /** A whole number. Throws UsageError. */
  number(option: string): number | undefined;
}

/** Parses the arguments of a command by its table of options. Throws UsageError. */
export function parseArguments(args: readonly string[], options: Options): Arguments {
  const { values, positionals } = parsed(args, options);
  const text = (option: string) => {
    const value = values[option];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    positionals,
    text,
    isSet: (option) => values[option] === true,
    list: (option) => ((values[option] ?? []) as string[]).map(String),
    number(option) {
      const value = text(option);
      if (value === undefined || /^\d{1,9}$/.test(value))
        return value === undefined ? undefined : Number(value);
      throw new UsageError(`--${option} needs a whole number, not ${value}`);
    },
  };
}

function parsed(
  args: readonly string[],
  options: Options,
): { values: Record<string, Value>; positionals: string[] } {
  try {
    return parseArgs({ ...parseConfigOf(options), args: [...args] });
  } catch (error) {
    const text = argumentErrorText(error);
    throw text === null ? error : new UsageError(text);
  }
}

/** Exactly the arguments that the command needs. Throws UsageError. */
export function positionalsOf<N extends string>(
  { positionals }: Arguments,
  ...names: readonly N[]
): Record<N, string> {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`The argument <${missing}> is missing.`);
  const extra = positionals[names.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  return Object.fromEntries(names.map((name, index) => [name, positionals[index]])) as Record<N, string>;
}
