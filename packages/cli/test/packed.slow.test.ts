import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../service/test/harness/freePort.js';
import { serviceMigrations } from '../../service/test/harness/migrationsFolder.js';
import { seededDataDir } from '../../service/test/harness/pgliteSeed.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';

const run = promisify(execFile);
let folder: string;
let tarball: string;
beforeAll(async () => {
  folder = scratchFolder('reliability-packed-');
  const program = fileURLToPath(new URL('../pack.mjs', import.meta.url));
  tarball = (await run(process.execPath, [program, folder])).stdout.trim();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

async function install(name: string): Promise<string> {
  const app = join(folder, name);
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], {
    cwd: app,
  });
  return app;
}

describe('the tarball', () => {
  test('starts the service in an empty folder, and reports and reads a score there', async () => {
    const app = await install('app');
    const program = join(app, 'node_modules/.bin/reliability');
    const port = String(await freePort());
    await seededDataDir(serviceMigrations, join(app, 'data/database'));
    const service = spawn(program, ['start'], { cwd: app, env: { PATH: process.env.PATH, PORT: port } });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    let output = '';
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    try {
      await expect.poll(() => output).toMatch(/crd_test_[\w-]+/);
      const key = /crd_test_[\w-]+/.exec(output)?.[0];
      const env = {
        PATH: process.env.PATH,
        RELIABILITY_URL: `http://127.0.0.1:${port}`,
        RELIABILITY_KEY: key,
      };
      await run(program, ['events', 'send', '--user', 'ana', '--type', 'CONTRACT_FULFILLED'], { env });
      const totalEvents = async () =>
        JSON.parse((await run(program, ['score', 'ana', '--json'], { env })).stdout).totalEvents;
      await expect.poll(() => totalEvents().catch(() => null)).toBe(1);
      // Files that the service finds by its own name.
      for (const path of ['trust-badge.js', 'check', 'console'])
        expect((await fetch(`${env.RELIABILITY_URL}/${path}`)).status, path).toBe(200);
    } finally {
      service.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  });
});
