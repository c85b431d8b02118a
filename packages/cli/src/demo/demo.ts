import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient, type ReliabilityError } from '@reliability/client';
import { readSecretFile } from '../../../service/src/kit/wholeFile.js';
import { DataDirLockedError, lockDataDir } from '../../../service/src/shape/embedded/dataDirLock.js';
import type { Context } from '../command.js';
import { CommandError, UsageError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import type { Output } from '../output.js';
import { type DemoService, isAnswering, settingsOf, startDemoService } from './demoService.js';
import { dataOf, makeDemo, readDemo, wasInterrupted } from './makeDemo.js';
import { type Receiver, startReceiver } from './receiver.js';
import { showDemo } from './showDemo.js';

const DEFAULT_FOLDER = './data-demo';
/** In a folder that the demo has created. */
const MARK = 'this-is-a-demo';

/**
 * Makes a year of sample data in a service of its own, with its own folder and port, so that no real
 * subject is ever compared with an invented one. Prints where to look, and keeps it running. A later
 * start changes nothing.
 */
export async function demo({ args, env, output }: Context): Promise<number> {
  const folder = resolve(args.text('data') ?? (env.DEMO_DATA_DIR || DEFAULT_FOLDER));
  const settings = settingsOf(env, args.text('port'));
  const { address, baseUrl } = settings;
  claim(folder);
  if (env.DATABASE_URL) output.say('DATABASE_URL is not used: the demo has a database of its own.');
  const state = await readDemo(folder);
  if (await isAnswering(`${address}/health`)) {
    await assertOwn(folder, address);
    if (!state) throw new CommandError(`The demo at ${address} is not whole. Stop it, and start it again.`);
    await showDemo({ folder, address, baseUrl, state, isNew: false, output });
    output.say(`The demo was running already, at ${address}. It goes on running where it was started.`);
    return exitCodes.done;
  }
  const lock = await lockFolder(folder);
  const receiver = await openReceiver(state?.receiverPort ?? settings.port + 1, state === null, output);
  let service: DemoService | null = null;
  try {
    if (wasInterrupted(folder))
      output.say(
        'The last start was interrupted while it made the demo. It is made again from the beginning.',
      );
    const { env: serviceEnv } = settings;
    const made =
      state ?? (await makeDemo({ folder, env: serviceEnv, receiverPort: receiver?.port ?? 0, output }));
    service = await startDemoService({ ...settings, folder: dataOf(folder), output });
    await showDemo({ folder, address, baseUrl, state: made, isNew: state === null, output });
    if (args.isSet('exit')) {
      await service.stop();
      output.say(`The demo has stopped. Its data stays in ${folder}; \`reliability demo\` starts it again.`);
      return exitCodes.done;
    }
    output.say(
      `The demo runs at ${baseUrl} until you press Ctrl-C. Its data is in ${folder}; delete that folder to remove it.`,
    );
    return await service.untilEnd();
  } catch (error) {
    await service?.stop();
    throw error;
  } finally {
    receiver?.close();
    await lock.release();
  }
}

/** Refuses a folder with files that are not of a demo. */
function claim(folder: string): void {
  const mark = join(folder, MARK);
  if (existsSync(mark)) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [other] = readdirSync(folder);
    if (other !== undefined)
      throw new Error(`it has ${other}, which is not of a demo. Give an empty folder with --data`);
    writeFileSync(mark, 'Sample data of `reliability demo`. Delete the folder to remove it.\n');
  } catch (error) {
    throw new UsageError(`${folder} cannot be used: ${error instanceof Error ? error.message : error}.`);
  }
}

const SILENT = { info() {}, warn() {}, error() {} };

/** Two starts at once would make two demos of one. */
async function lockFolder(folder: string): ReturnType<typeof lockDataDir> {
  try {
    return await lockDataDir(folder, SILENT);
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) throw error;
    throw new CommandError(
      `The demo in ${folder} is in use by process ${error.holderPid ?? '(unknown)'}: it is being made, or runs at another port.`,
    );
  }
}

/** Throws CommandError if the service at the address is not the one of the folder. */
async function assertOwn(folder: string, address: string): Promise<void> {
  const other = `Another program answers at ${address}. Give the demo a free port with PORT or --port.`;
  const adminSecret = await readSecretFile(join(dataOf(folder), 'admin-secret'));
  if (adminSecret === null) throw new CommandError(other);
  const operator = createClient({ baseUrl: address, adminSecret });
  await operator.adminListPlatforms({ limit: 1 }).catch((error: ReliabilityError) => {
    throw error.status === undefined ? error : new CommandError(other);
  });
}

/** At a port that a new demo may choose, and that an old one has chosen. Null: it is not free. */
async function openReceiver(port: number, mayChoose: boolean, output: Output): Promise<Receiver | null> {
  try {
    return await startReceiver(port).catch((error: unknown) => {
      if (mayChoose) return startReceiver(0);
      throw error;
    });
  } catch {
    output.say(`Port ${port} is not free, where the webhooks of the demo go: their deliveries will fail.`);
    return null;
  }
}
