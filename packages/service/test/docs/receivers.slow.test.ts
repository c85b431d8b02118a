import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { freePort } from '#harness/freePort.js';
import { givenService } from '#harness/givenService.js';
import { readGuides } from './guideExamples.js';
import { available, CLIENT_PATHS, type ProgramFolder, programFolder, RUNNERS, succeeds } from './programs.js';

const files = readGuides().find(({ slug }) => slug === 'webhooks')?.files ?? [];
/** Debian's packages are for Debian's Python, which need not be the first one. */
const pythonWith = (modules: string) => {
  const python = ['python3', '/usr/bin/python3'].find((one) => succeeds(one, '-c', `import ${modules}`));
  return python === undefined ? null : [python];
};

/** What runs each. Null: it is not installed. */
const receivers: Readonly<Record<string, readonly string[] | null>> = {
  'receiver.ts': RUNNERS.ts,
  'receiver-express.ts': RUNNERS.ts,
  'receiver-fastify.ts': RUNNERS.ts,
  'receiver-hono.ts': RUNNERS.ts,
  'receiver.py': pythonWith('hmac'),
  'receiver_django.py': pythonWith('django'),
  'receiver_fastapi.py': pythonWith('fastapi, uvicorn'),
  'receiver.go': available.go ? RUNNERS.go : null,
};
const installed = Object.entries(receivers).flatMap(([name, command]) =>
  command ? [{ name, command }] : [],
);
for (const [name] of Object.entries(receivers).filter(([, command]) => command === null)) {
  console.warn(`${name} is skipped: install python3-django, python3-fastapi, python3-uvicorn, golang-go`);
}

test('the guide has a receiver for each framework that it names', () => {
  const names = files.map(({ name }) => name).filter((name) => name.startsWith('receiver'));
  expect(names.sort()).toEqual(Object.keys(receivers).sort());
});

describe.each(installed)('the receiver $name of the guide', ({ name, command }) => {
  const env = { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.1' };
  const service = givenService(mainEngine, { env });
  let folder: ProgramFolder;
  let stop: () => void;
  let webhook: { id: string; url: string; secret: string };

  beforeAll(async () => {
    const port = await freePort();
    const body = { url: `http://127.0.0.1:${port}/hook`, events: ['score.updated'] };
    webhook = (await service.request('POST', '/webhooks', { body })).body;
    folder = programFolder();
    stop = await start(folder.path, name, command, { PORT: String(port), WEBHOOK_SECRET: webhook.secret });
    await eventually(() =>
      fetch(webhook.url, { method: 'POST', body: '{}' }).then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(() => {
    stop?.();
    folder?.remove();
  });

  test('accepts a delivery and refuses a changed one', async () => {
    const { body: delivery } = await service.request('POST', `/webhooks/${webhook.id}/test`, { body: {} });
    expect(delivery).toMatchObject({ status: 'succeeded', responseStatus: 204 });
    const path = `/webhooks/${webhook.id}/deliveries/${delivery.id}/request`;
    const { headers, body } = (await service.request('GET', path)).body;
    const statusOf = async (text: string, changed: object = {}) =>
      (await fetch(webhook.url, { method: 'POST', headers: { ...headers, ...changed }, body: text })).status;
    expect(await statusOf(body)).toBe(204);
    expect(await statusOf(body.replace('score', 'other'))).toBe(400);
    expect(await statusOf(body, { 'x-service-timestamp': '1', 'webhook-timestamp': '1' })).toBe(400);
  });
});

/** Starts a receiver in a process group of its own. Returns the function that ends the group. */
async function start(
  folder: string,
  name: string,
  [program = '', ...args]: readonly string[],
  env: Record<string, string>,
) {
  for (const file of files) writeFileSync(join(folder, file.name), file.text);
  const options = {
    cwd: folder,
    env: { ...process.env, ...CLIENT_PATHS, GOTMPDIR: folder, ...env },
    detached: true,
  };
  const child = spawn(program, [...args, join(folder, name)], options);
  return () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
}
