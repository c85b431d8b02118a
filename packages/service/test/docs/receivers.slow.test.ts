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
import { available, CLIENT_PATHS, type ProgramFolder, programFolder, RUNNERS } from './programs.js';

const files = readGuides().find(({ slug }) => slug === 'webhooks')?.files ?? [];
const receivers = [
  { language: 'ts', name: 'receiver.ts' },
  { language: 'python', name: 'receiver.py' },
  { language: 'go', name: 'receiver.go' },
] as const;

const installed = receivers.filter(({ language }) => available[language]);
describe.each(installed)('the receiver of the guide in $language', ({ language, name }) => {
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
  const file = join(folder, name);
  writeFileSync(file, files.find((one) => one.name === name)?.text ?? '');
  const [command, ...args] = RUNNERS[language];
  const options = {
    cwd: folder,
    env: { ...process.env, ...CLIENT_PATHS, GOTMPDIR: folder, ...env },
    detached: true,
  };
  const child = spawn(command, [...args, file], options);
  return () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
}
