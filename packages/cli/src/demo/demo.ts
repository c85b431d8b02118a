import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient, type ReliabilityError } from '@reliability/client';
import { readSecretFile } from '../../../service/src/kit/wholeFile.js';
import type { Context } from '../command.js';
import { CommandError, UsageError } from '../commandError.js';
import { exitCodes } from '../exitCodes.js';
import { type DemoService, isAnswering, startDemoService } from './demoService.js';
import { runDemo } from './runDemo.js';

const DEFAULT_FOLDER = './data-demo';
const DEFAULT_PORT = '3900';
/** In a folder that the demo has created. */
const MARK = 'this-is-a-demo';

/**
 * Loads sample data into a service of its own, with its own folder and port, so that no real
 * subject is ever compared with an invented one. Prints where to look, and keeps it running.
 */
export async function demo(context: Context): Promise<number> {
  const { args, env } = context;
  const url = args.text('url')?.replace(/(?<!\/)\/+$/, '');
  if (url !== undefined) {
    const adminSecret = args.text('admin-secret') ?? env.ADMIN_SECRET;
    if (!adminSecret)
      throw new UsageError('--url needs --admin-secret, or ADMIN_SECRET: the demo creates platforms.');
    await runDemo({ url, adminSecret, now: new Date(), output: context.output, folder: null });
    return exitCodes.done;
  }
  return ownDemo(context);
}

async function ownDemo({ args, env, output }: Context): Promise<number> {
  const folder = resolve(args.text('data') ?? (env.DEMO_DATA_DIR || DEFAULT_FOLDER));
  const port = portOf(args.text('port') ?? (env.DEMO_PORT || DEFAULT_PORT));
  claim(folder);
  if (env.DATABASE_URL) output.say('DATABASE_URL is not used: the demo has a database of its own.');
  const url = `http://localhost:${port}`;
  const isThere = await isAnswering(`${url}/health`);
  const service: DemoService | null = isThere
    ? null
    : await startDemoService({ url, port, folder, env, output });
  try {
    const adminSecret = await secretIn(folder, url);
    await runDemo({ url, adminSecret, now: new Date(), output, folder });
  } catch (error) {
    await service?.stop();
    throw error;
  }
  if (service === null) {
    output.say(`The demo was running already, at ${url}. It goes on running where it was started.`);
    return exitCodes.done;
  }
  if (args.isSet('exit')) {
    await service.stop();
    output.say(`The demo has stopped. Its data stays in ${folder}; \`reliability demo\` starts it again.`);
    return exitCodes.done;
  }
  output.say(
    `The demo runs at ${url} until you press Ctrl-C. Its data is in ${folder}; delete that folder to remove it.`,
  );
  return service.untilEnd();
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`The port of the demo must be a number from 1 to 65535, not ${text}.`);
}

/** Refuses a folder with a database that the demo did not create. */
function claim(folder: string): void {
  const mark = join(folder, MARK);
  if (existsSync(mark)) return;
  if (existsSync(join(folder, 'database'))) {
    throw new UsageError(`${folder} has a database that is not of a demo. Give another folder with --data.`);
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(mark, 'Sample data of `reliability demo`. Delete the folder to remove it.\n');
  } catch (error) {
    throw new UsageError(`${folder} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

/** Throws CommandError if the service at the port is not the one of the folder. */
async function secretIn(folder: string, url: string): Promise<string> {
  const other = `Another program answers at ${url}. Give the demo a free port with --port.`;
  const secret = await readSecretFile(join(folder, 'admin-secret'));
  if (secret === null) throw new CommandError(other);
  const operator = createClient({ baseUrl: url, adminSecret: secret });
  await operator.adminListPlatforms({ limit: 1 }).catch((error: ReliabilityError) => {
    throw error.status === undefined ? error : new CommandError(other);
  });
  return secret;
}
