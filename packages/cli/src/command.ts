import type { Options } from '../../service/src/commands/options.js';
import type { Arguments } from './arguments.js';
import type { Output } from './output.js';

/** What a command gets. */
export interface Context {
  readonly args: Arguments;
  readonly output: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a command and returns its exit code. Throws CommandError, or what the client throws. */
export type Run = (context: Context) => Promise<number>;

export interface Command {
  /** One line, without a full stop. */
  readonly summary: string;
  /** Names of its arguments: `<id>`. */
  readonly usage?: string;
  readonly options?: Options;
  /** It calls the service with a key, so it takes --url, --key and --profile. */
  readonly callsApi?: boolean;
  /** For the help: what else to know, and examples. */
  readonly details?: string;
  /** The values of its first argument, for completions. */
  readonly choices?: readonly string[];
  /** Loads the code that only this command needs. */
  readonly load: () => Promise<Run>;
}
