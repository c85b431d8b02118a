import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { systemClock } from '../kit/clock.js';
import { readSecretFile } from '../kit/secretFile.js';
import { DemoError } from './demo/demoError.js';
import { reachService } from './demo/reachService.js';
import { runDemo } from './demo/runDemo.js';

/*
 * npm run demo -- [--url http://localhost:3000] [--admin-secret secret]
 * Fills a service with a believable book through its public API and says what is worth a look. Without a service at the
 * usual address it starts one and leaves it running. A second run adds nothing.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await demo();
  } catch (error) {
    const isPlain = error instanceof DemoError || error instanceof ConfigError;
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
      throw new DemoError(
        'The demo creates platforms and needs the admin secret: --admin-secret or ADMIN_SECRET.',
      );
    }
    await runDemo({ url: service.url, adminSecret, clock: systemClock, output: process.stdout });
    if (!service.isOurs) return 0;
    say(`The service stays up at ${service.url}, its data in ${config.dataDir}. Ctrl-C stops it.`);
    return await service.untilEnd();
  } catch (error) {
    await service.stop();
    throw error;
  }
}
