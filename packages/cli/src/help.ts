import type { Options } from '../../service/src/commands/options.js';
import type { Command } from './command.js';
import { commands, optionsOf } from './commands.js';

declare const RELIABILITY_VERSION: string;

const EXIT_CODES = `Exit codes
  0  done
  1  failed: refused, not reached, not verified, a difference found
  2  invalid argument, option, setting or input file; nothing was done
  3  done in part: some rows failed, or not everything could be checked`;

const ENVIRONMENT = `Environment
  RELIABILITY_URL      address of the service; default: http://localhost:3000
  RELIABILITY_KEY      API key
  RELIABILITY_PROFILE  saved address and key (\`reliability profile\`)
  NO_COLOR             prints without colours`;

export function version(): string {
  return RELIABILITY_VERSION;
}

/** The help of the whole command line. */
export function overview(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return [
    'Usage: reliability <command> [options]',
    '',
    'Commands',
    ...columns(rows),
    '',
    'Every command takes --help and --json.',
    '',
    ENVIRONMENT,
    '',
    EXIT_CODES,
    '',
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(name: string, command: Command): string {
  const { summary, usage, details } = command;
  const options = optionsOf(command);
  return [
    `Usage: reliability ${name}${usage ? ` ${usage}` : ''} [options]`,
    '',
    `${summary}.`,
    ...(details ? ['', details] : []),
    '',
    'Options',
    ...columns(optionRows(options)),
    '',
    EXIT_CODES,
    '',
  ].join('\n');
}

function optionRows(options: Options): (readonly [string, string])[] {
  return Object.entries(options).map(([name, { value, help }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    help,
  ]);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
