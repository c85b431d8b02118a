import { exitCodes } from './exitCodes.js';

/** An error that the user of a command can mend. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number = exitCodes.failed;
}

/** An invalid argument, option, setting or input file. Nothing was done. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
  override readonly exitCode = exitCodes.misused;
}
