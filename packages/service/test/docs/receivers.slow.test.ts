import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { freePort } from '#harness/freePort.js';
import { startTestService, type TestService } from '#harness/service.js';
import { readGuides } from './guideExamples.js';
import { root } from './languages.js';
import { available, type ProgramFolder, programFolder } from './programs.js';

const files = readGuides().find(({ slug }) => slug === 'webhooks')?.files ?? [];
const receivers = (
  [
    { language: 'ts', name: 'receiver.ts' },
    { language: 'python', name: 'receiver.py' },
    { language: 'go', name: 'receiver.go' },
  ] as const
).filter(({ language }) => available[language]);

describe.each(receivers)('the receiver of the guide in $language', ({ name }) => {
  let service: TestService;
  let folder: ProgramFolder;
  let stop: () => void;
  let webhook: { id: string; url: string; secret: string };

  beforeAll(async () => {
    service = await startTestService(mainEngine, { env: { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.1' } });
    const port = await freePort();
    const body = { url: `http://127.0.0.1:${port}/hook`, events: ['score.updated'] };
    webhook = (await service.request('POST', '/webhooks', { body })).body;
    folder = programFolder();
    stop = await start(folder.path, name, { PORT: String(port), WEBHOOK_SECRET: webhook.secret });
    await eventually(() =>
      fetch(webhook.url, { method: 'POST', body: '{}' }).then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    stop?.();
    folder?.remove();
    await service?.close();
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
async function start(folder: string, name: string, env: Readonly<Record<string, string>>) {
  const file = join(folder, name);
  writeFileSync(file, files.find((one) => one.name === name)?.text ?? '');
  const go = { cwd: folder, env: { ...process.env, GO111MODULE: 'off', GOTOOLCHAIN: 'local' } };
  if (name.endsWith('.go')) await promisify(execFile)('go', ['build', '-o', 'receiver', name], go);
  const [command = '', ...args] = name.endsWith('.ts')
    ? [join(root, 'node_modules/.bin/tsx'), '--conditions=source', file]
    : name.endsWith('.py')
      ? ['python3', file]
      : [join(folder, 'receiver')];
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, detached: true });
  return () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
}
