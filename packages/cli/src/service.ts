import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CommandError } from './commandError.js';

/** A built program of the service: `main`, `migrate`. Throws CommandError. */
export function serviceProgram(name: string): URL {
  const program = new URL(`dist/${name}.js`, manifest());
  if (existsSync(program)) return program;
  throw new CommandError(`The program ${program.pathname} is missing. Run \`npm run build\`.`);
}

function manifest(): URL {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve('@reliability/service/package.json'));
  } catch {
    throw new CommandError(`The service is not installed with this command line.`);
  }
}

/** Runs a program of the service in this process. It sets the exit code and handles signals itself. */
export async function runProgram(name: string, args: readonly string[]): Promise<void> {
  const program = serviceProgram(name);
  process.argv = [process.execPath, program.pathname, ...args];
  try {
    await import(program.href);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new CommandError(
      `The service cannot be loaded: ${error.message}. Install the command line again, with its packages.`,
    );
  }
}
