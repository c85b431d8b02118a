import { createLog } from '#kit/log.js';
import { readConfig } from '../start/config.js';
import { exitWith, FAILED, isForOperator } from '../start/exit.js';
import { startStepped } from './startStepped.js';

/*
 * The service with a clock that its parent process moves: `reliability demo` lives through a year with it.
 * The first argument is where the clock begins. Messages of the parent are `{ moveTo }`, both in milliseconds
 * since 1970, and `{ end: true }`. The program sends `{ address }` when it listens, and an answer when a message
 * is obeyed. It ends with its parent.
 */
interface Message {
  moveTo?: number;
  end?: true;
}

const log = createLog('error', {});
process.once('disconnect', () => process.exit(FAILED));

const service = await start();
process.on('message', (message: Message) => {
  obey(message).catch(fail);
});
process.send?.({ address: service.address });

async function start() {
  try {
    return await startStepped({ config: readConfig(), log, startAt: Number(process.argv[2]) });
  } catch (error) {
    return isForOperator(error) ? exitWith(error, log) : fail(error);
  }
}

async function obey({ moveTo, end }: Message): Promise<void> {
  if (moveTo !== undefined) await service.moveTo(moveTo);
  if (end) await service.close();
  process.send?.({}, () => end && process.exit(0));
}

/** The log goes to stdout, which nobody reads. */
function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(FAILED);
}
