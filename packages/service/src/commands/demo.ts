import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { systemClock } from '../kit/clock.js';
import { readSecretFile } from '../kit/secretFile.js';
import { CommandError } from './commandError.js';
import { reachService } from './demo/reachService.js';
import { runDemo } from './demo/runDemo.js';

/*
 * npm run demo -- [--url http://localhost:3000] [--admin-secret secret] Loads realistic sample data
 * through the public API and prints where to look. If no service answers at the default address,
 * starts one and leaves it running. A second run adds nothing.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await demo();
  } catch (error) {
    const isPlain = error instanceof CommandError || error instanceof ConfigError;
    console.error(isPlain ? error.message : error);
    return 1;
  }
}

async function demo(): Promise<number> {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, 'admin-secret': { type: 'string' } },
  });
  const config = readConfig();
  const say = (line: string) => console.log(line);
  const service = await reachService({
    url: values.url?.replace(/\/+$/, '') ?? `http://localhost:${config.port}`,
    mayStart: values.url === undefined,
    say,
  });
  try {
    const adminSecret =
      values['admin-secret'] ??
      config.adminSecret ??
      (await readSecretFile(join(config.dataDir, 'admin-secret')));
    if (adminSecret === null) {
      throw new CommandError(
        'The demo creates platforms and needs the admin secret. Give it with --admin-secret or ADMIN_SECRET.',
      );
    }
    await runDemo({ url: service.url, adminSecret, clock: systemClock, output: process.stdout });
    if (!service.isOurs) return 0;
    say(
      `The service keeps running at ${service.url} with its data in ${config.dataDir}. Stop it with Ctrl-C.`,
    );
    return await service.untilEnd();
  } catch (error) {
    await service.stop();
    throw error;
  }
}
