import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { freePort } from '#harness/freePort.js';
import { givenService } from '#harness/givenService.js';
import { readGuides } from './guideExamples.js';
import type { Language } from './languages.js';
import { available, type ProgramFolder, programFolder, RUNNERS, succeeds } from './programs.js';

const files = readGuides().find(({ slug }) => slug === 'webhooks')?.files ?? [];
const receivers = [
  { language: 'ts', name: 'receiver.ts' },
  { language: 'ts', name: 'receiver-express.ts' },
  { language: 'ts', name: 'receiver-fastify.ts' },
  { language: 'ts', name: 'receiver-hono.ts' },
  { language: 'python', name: 'receiver.py' },
  { language: 'python', name: 'receiver_django.py', needs: 'django' },
  { language: 'python', name: 'receiver_fastapi.py', needs: 'fastapi, uvicorn' },
  { language: 'go', name: 'receiver.go' },
] as const;

const isInstalled = (one: (typeof receivers)[number]) =>
  available[one.language] && (!('needs' in one) || succeeds('python3', '-c', `import ${one.needs}`));
const installed = receivers.filter(isInstalled);
for (const { name } of receivers.filter((one) => !isInstalled(one))) {
  console.warn(`${name} is skipped: install python3-requests, python3-django, python3-fastapi, golang-go`);
}

test('the guide has a receiver for each framework that it names', () => {
  const names = files.map(({ name }) => name).filter((name) => name.startsWith('receiver'));
  expect(names.sort()).toEqual(receivers.map(({ name }) => name).sort());
});

describe.each(installed)('the receiver $name of the guide', ({ language, name }) => {
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
    stop = await start(folder.path, language, name, { PORT: String(port), WEBHOOK_SECRET: webhook.secret });
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
async function start(folder: string, language: Language, name: string, env: Record<string, string>) {
  for (const one of files) writeFileSync(join(folder, one.name), one.text);
  const go = { GO111MODULE: 'off', GOTOOLCHAIN: 'local', GOTMPDIR: folder };
  const [command, ...args] = RUNNERS[language];
  const options = { cwd: folder, env: { ...process.env, ...go, ...env }, detached: true };
  const child = spawn(command, [...args, join(folder, name)], options);
  return () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
}
