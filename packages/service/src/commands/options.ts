import { parseArgs } from 'node:util';
import programs from '../../data/programs.json' with { type: 'json' };

export interface Option {
  /** Name of its value in the help: `FILE`. Without it the option is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
  readonly choices?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

type Values<Known extends Options> = {
  [Name in keyof Known]?: Known[Name] extends { value: string } ? string : boolean;
};

export function parseConfigOf(options: Options) {
  const config = Object.entries(options).map(([name, { value, multiple = false }]) => {
    const short = name === 'help' ? { short: 'h' } : {};
    return [name, { type: value ? ('string' as const) : ('boolean' as const), multiple, ...short }];
  });
  return { options: Object.fromEntries(config), allowPositionals: true };
}

export function readArguments<Known extends Options>(
  { options, usage }: { options: Known; usage?: string },
  args: readonly string[] = process.argv.slice(2),
): { values: Values<Known>; positionals: readonly string[] } {
  const config = { ...parseConfigOf(options), args: [...args], allowPositionals: usage !== undefined };
  const { values, positionals } = parseArgs(config);
  return { values: values as Values<Known>, positionals };
}

/** The commands that are programs of the service, for their arguments, the help and completions. */
export { programs };
