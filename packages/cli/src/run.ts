import { parseArguments } from './arguments.js';
import type { Command } from './command.js';
import { UsageError } from './commandError.js';
import { commands, optionsOf, type Passed } from './commands.js';
import { printedError } from './errorText.js';
import { exitCodes } from './exitCodes.js';
import { createOutput, type Stream } from './output.js';
import { runProgram } from './service.js';

interface Io {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Stream;
  stderr: Stream;
}

/**
 * Runs a command line. Returns its exit code; null if a program of the service runs, which sets it
 * itself.
 */
export async function run(argv: readonly string[], io: Io): Promise<number | null> {
  const isJson = argv.includes('--json');
  try {
    const [name, args] = splitCommand(argv);
    if (name === null) return await topLevel(argv, io);
    const command = commands[name] as Command & Partial<Passed>;
    if (args.includes('--help') || args.includes('-h')) {
      const { commandHelp } = await import('./help.js');
      io.stdout.write(commandHelp(name, command));
      return exitCodes.done;
    }
    if (command.program !== undefined) {
      if (name === 'start') refuseArguments(args);
      await runProgram(command.program, args);
      return null;
    }
    const parsed = parseArguments(args, optionsOf(command));
    const work = await command.load();
    return await work({
      args: parsed,
      output: createOutput({ isJson: parsed.isSet('json'), ...io }),
      env: io.env,
    });
  } catch (error) {
    const printed = printedError(error);
    if (!printed) throw error;
    const { text, code, exitCode } = printed;
    io.stderr.write(isJson ? `${JSON.stringify({ error: text, code, exitCode })}\n` : `${text}\n`);
    return exitCode;
  }
}

/** The service reads its environment alone: an argument that it passed over would seem to be obeyed. */
function refuseArguments([first]: readonly string[]): void {
  if (first === undefined) return;
  throw new UsageError(
    `\`start\` takes no arguments, so '${first}' is refused. Settings are environment variables, such as PORT=4000.`,
  );
}

/** The longest name that the arguments begin with; null: none. */
function splitCommand(argv: readonly string[]): [name: string | null, args: readonly string[]] {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ');
    if (Object.hasOwn(commands, name)) return [name, argv.slice(words)];
  }
  return [null, argv];
}

async function topLevel([first, ...rest]: readonly string[], { stdout }: Io): Promise<number> {
  const { commandHelp, overview, version } = await import('./help.js');
  const named = rest.join(' ');
  if (first === 'help' && Object.hasOwn(commands, named)) {
    stdout.write(commandHelp(named, commands[named] as Command));
    return exitCodes.done;
  }
  if (first === '--version' || first === '-v') {
    stdout.write(`${version()}\n`);
    return exitCodes.done;
  }
  if (first === undefined || ['help', '--help', '-h'].includes(first)) {
    stdout.write(overview());
    return exitCodes.done;
  }
  if (first.startsWith('-')) throw new UsageError(`Unknown option '${first}'. Run \`reliability --help\`.`);
  const members = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  throw new UsageError(
    members.length > 0
      ? `\`${first}\` needs a second word: ${members.join(', ')}.`
      : `There is no command '${first}'. \`reliability --help\` lists all.`,
  );
}
