import { createLog } from '#kit/log.js';
import { dieOf, exitWith, isForOperator } from '../start/exit.js';
import { readConfig } from '../start/config.js';
import { startStepped } from './startStepped.js';

/*
 * The service with a clock that its parent process moves: `reliability demo` lives through a year with it.
 * Messages of the parent: `{ moveTo }`, milliseconds since 1970, and `{ end: true }`. Each is answered when it is
 * done. First the program sends `{ address }`. It ends with its parent.
 */
const log = createLog('error', { thread: 'demo' });
process.once('disconnect', () => process.exit(1));

try {
  const service = await startStepped({ config: readConfig(), log, startAt: Number(process.argv[2]) });
  process.on('message', (message: { moveTo?: number; end?: true }) => {
    obey(message).catch((error: unknown) => dieOf(error, 'the year could not be lived through', log));
  });
  process.send?.({ address: service.address });

  async function obey({ moveTo, end }: { moveTo?: number; end?: true }): Promise<void> {
    if (moveTo !== undefined) await service.moveTo(moveTo);
    if (end) await service.close();
    process.send?.({ isDone: true });
    if (end) process.disconnect();
  }
} catch (error) {
  if (!isForOperator(error)) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  exitWith(error, log);
}
