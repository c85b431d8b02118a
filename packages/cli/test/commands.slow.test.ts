import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createClient, verifyWebhook } from '@reliability/client';
import { describe, expect, test } from 'vitest';
import { write, writtenIds } from '../../service/test/features/notify/streamFixtures.js';
import { givenService } from '../../service/test/harness/givenService.js';
import { startReceiver } from '../../service/test/harness/receiver.js';
import { runCli, startCli } from './runCli.js';

const service = givenService('pglite');

function run(args: readonly string[], { key = service.testKey, stdin = '' } = {}) {
  return runCli(args, { env: { RELIABILITY_URL: service.url, RELIABILITY_KEY: key }, stdin });
}

describe('reliability events send, score and explain', () => {
  test('report an outcome, read its score and show a waterfall that adds up', async () => {
    const sent = await run(['events', 'send', '--user', 'ana', '--type', 'CONTRACT_FULFILLED', '--verified']);
    expect(sent).toMatchObject({ code: 0, errors: '' });
    expect(sent.output).toMatch(/^Recorded CONTRACT_FULFILLED of ana\. Event [0-9a-f-]{36}\.$/m);
    await service.settle();
    const score = JSON.parse((await run(['score', 'ana', '--json'])).output);
    expect(score).toMatchObject({ userId: 'ana', verifiedEvents: 1 });
    const { code, output } = await run(['explain', 'ana']);
    expect(code).toBe(0);
    const points = [...output.matchAll(/^ {2}\w+ .* ([+−]?)([\d.]+)$/gm)].map(
      ([, sign, digits]) => Number(digits) * (sign === '−' ? -1 : 1),
    );
    expect(points).toHaveLength(7);
    expect(points.at(-1)).toBe(score.finalScore);
    expect(output).toContain('Rose from 20, where every record starts, to ');
    expect(points.slice(0, -1).reduce((sum, value) => sum + value, 0)).toBeCloseTo(score.finalScore, 2);
    // No colours in a pipe.
    expect(output).not.toContain('\u001b');
  });

  test('sends NDJSON of stdin in batches and says which items failed', async () => {
    const good = Array.from({ length: 120 }, (_, index) => ({
      userId: 'batch',
      eventType: 'CONTRACT_FULFILLED',
      idempotencyKey: `batch-${index}`,
    }));
    const stdin = [...good, { userId: 'batch', eventType: 'NONSENSE' }]
      .map((event) => JSON.stringify(event))
      .join('\n');
    const partly = await run(['events', 'send', '-'], { stdin });
    expect(partly.code).toBe(3);
    expect(partly.output).toContain('121 events: 120 recorded, 0 already there, 1 failed.');
    expect(partly.output).toMatch(/^ {2}item 121: .*VALIDATION_ERROR.*\n {4}eventType: /m);
    const again = await run(['events', 'send', '-', '--json'], { stdin: JSON.stringify(good) });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.output)).toMatchObject({ createdCount: 0, skippedCount: 120 });
  });

  test.each<[what: string, args: string[], code: number, message: RegExp]>([
    ['a subject without a score', ['score', 'nobody'], 1, /USER_NOT_FOUND/],
    ['a wrong key', ['score', 'ana', '--key', `crd_test_${'x'.repeat(43)}`], 1, /Set another key/],
    ['no id', ['score'], 2, /^The argument <id> is missing\.$/m],
    ['no command', ['scores'], 2, /There is no command 'scores'/],
    ['half a command', ['events'], 2, /`events` needs a second word: events send/],
    ['another option', ['score', 'ana', '--kay'], 2, /^Unknown option '--kay'\.$/m],
    ['an address that is none', ['score', 'ana', '--url', 'nowhere'], 2, /The address nowhere is invalid/],
    ['a missing profile', ['score', 'ana', '--profile', 'staging'], 2, /There is no profile staging/],
    ['an event without a type', ['events', 'send', '--user', 'ana'], 2, /--type is missing/],
    ['a file and an option', ['events', 'send', 'x.json', '--user', 'ana'], 2, /not both/],
    ['no JSON on stdin', ['events', 'send', '-'], 2, /^stdin is not JSON: /],
    ['a day that does not exist', ['explain', 'ana', '--as-of', '2026-13-40'], 2, /an existing day/],
  ])('explains %s', async (_, args, code, message) => {
    const plain = await run(args);
    expect([plain.code, plain.output]).toEqual([code, '']);
    expect(plain.errors).toMatch(message);
    const asJson = JSON.parse((await run([...args, '--json'])).errors);
    expect(asJson).toEqual({ error: plain.errors.trimEnd(), code: expect.any(String), exitCode: code });
  });
});

describe('reliability record-link and reviews', () => {
  test('make a link, list what came in by it, answer once, and withdraw it', async () => {
    await run(['events', 'send', '--user', 'ines', '--type', 'CONTRACT_BREACHED']);
    await service.settle();
    const made = await run(['record-link', 'ines', '--hours', '1', '--language', 'de', '--json']);
    expect(made).toMatchObject({ code: 0, errors: '' });
    const { url: address, recordLinkId, expiresAt } = JSON.parse(made.output);
    const url = service.url + new URL(address).pathname;
    expect((Date.parse(expiresAt) - Date.now()) / 60_000).toBeCloseTo(60, 0);
    const opened = await fetch(`${url}/reviews`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'The client \u001b[2J cancelled.\nI have the message.' }),
    });
    const { review } = (await opened.json()) as { review: { id: string } };
    const open = await run(['reviews', '--status', 'OPEN']);
    expect(open.output).toMatch(/^ines {2}OPEN, answer by \S+ {2}[0-9a-f-]{36}$/m);
    expect(open.output).toContain('about the record');
    // A text of a stranger cannot drive the terminal.
    expect(open.output).toContain('The client  [2J cancelled. I have the message.');
    const args = ['reviews', 'answer', review.id, '--outcome', 'PARTLY', '--reviewer', 'Mara Lindt'];
    const answered = await run(args, { stdin: 'The date was wrong.\n' });
    expect(answered).toMatchObject({
      code: 0,
      output: expect.stringContaining('Mara Lindt: The date was wrong.'),
    });
    expect(await run(args, { stdin: 'Again.' })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('CONFLICT'),
    });
    expect((await run(['reviews', 'list', '--status', 'OPEN'])).output).toBe('There is no such review.\n');
    expect((await fetch(url)).status).toBe(200);
    expect(await run(['record-link', 'ines', '--withdraw', recordLinkId])).toMatchObject({
      code: 0,
      errors: '',
    });
    expect((await fetch(url)).status).toBe(404);
  });

  test.each([
    [['record-link'], 'argument <id> is missing'],
    [['record-link', 'ines', '--hours', 'soon'], '--hours needs a whole number'],
    [['record-link', 'ines', '--withdraw', 'x', '--hours', '1'], 'without --hours'],
    [['reviews', 'delete'], "needs list or answer, not 'delete'"],
    [['reviews', 'list', '--outcome', 'UPHELD'], 'does not take --outcome'],
    [['reviews', 'answer', 'x', '--reviewer', 'Mara Lindt'], '--outcome is missing'],
    [['reviews', 'answer', 'x', '--outcome', 'UPHELD'], '--reviewer is missing'],
  ])('refuse %j before anything is sent', async (args, text) => {
    expect(await run(args)).toMatchObject({ code: 2, errors: expect.stringContaining(text) });
  });
});

describe('reliability listen and trigger', () => {
  test('forward the real event with every signature of a webhook, and say how to resume', async () => {
    const receiver = await startReceiver();
    receiver.react(() => ({ status: 200 }));
    const target = `${receiver.url}/hook`;
    const args = ['listen', '--forward-to', target, '--types', 'score.band_changed', '--message-signature'];
    const env = { RELIABILITY_URL: service.url, RELIABILITY_KEY: service.testKey };
    const child = startCli(args, { env });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const printed = (pattern: RegExp) => expect.poll(() => output).toMatch(pattern);
    try {
      await printed(/Connected to/);
      const [, secret = ''] = /^Secret: (whsec_\S+)$/m.exec(output) ?? [];
      const [, directory = ''] = /(http:\S+directory)$/m.exec(output) ?? [];
      const triggered = await run(['trigger', 'score.band_changed', '--json']);
      expect(triggered.code).toBe(0);
      const envelope = JSON.parse(triggered.output);
      expect(envelope).toMatchObject({ type: 'score.band_changed', livemode: false });
      await printed(/score\.band_changed +200 {2}\d+ ms/);
      const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
      const { keys } = (await (await fetch(directory)).json()) as { keys: [] };
      const message = { url: target, keys };
      expect(await verifyWebhook(body, headers, secret, { message })).toEqual(envelope);
      // Not `exit`: its last lines can still be on their way then.
      const ended = once(child, 'close');
      child.kill('SIGINT');
      expect((await ended)[0]).toBe(0);
      expect(output).toContain(`--resume ${envelope.id}`);
    } finally {
      child.kill('SIGKILL');
      await receiver.close();
    }
  });

  test('listen goes on after a break without a gap or a repetition, however much happened', async () => {
    const receiver = await startReceiver();
    const network = await startNetwork(service.url);
    const args = ['listen', '--forward-to', `${receiver.url}/hook`];
    const child = startCli(args, { env: { RELIABILITY_URL: network.url, RELIABILITY_KEY: service.testKey } });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const happens = (count: number) =>
      write(service.db, { platformId: service.platformId, livemode: false, count });
    try {
      await expect.poll(() => output).toContain('Connected to');
      await happens(1);
      await receiver.waitFor(1);
      network.cut();
      for (let round = 0; round < 11; round += 1) await happens(100);
      network.mend();
      const received = (await receiver.waitFor(1101)).map(({ body }) => JSON.parse(body).id);
      expect(received).toEqual((await writtenIds(service.db, service.platformId, false)).slice(-1101));
    } finally {
      child.kill('SIGKILL');
      network.close();
      await receiver.close();
    }
  });

  test.each([
    'score.updated',
    'monitor.triggered',
    'policy.threshold_crossed',
    'dispute.resolved',
    'import.completed',
    'screening.completed',
    'key.created',
  ])('trigger %s causes the event', async (type) => {
    const { code, output, errors } = await run(['trigger', type, '--json']);
    expect([code, errors]).toEqual([0, '']);
    expect(JSON.parse(output)).toMatchObject({ type, livemode: false });
  });

  test('trigger leaves no monitor, policy or key behind', async () => {
    const client = createClient({ baseUrl: service.url, key: service.testKey });
    expect((await client.listMonitors()).monitors).toEqual([]);
    expect((await client.listPolicies()).policies).toEqual([]);
  });

  test('trigger refuses a live key, and says why an event of time cannot be caused', async () => {
    const live = await run(['trigger', 'score.updated'], { key: service.liveKey });
    expect(live).toMatchObject({ code: 2, errors: expect.stringContaining('needs a test key') });
    expect((await run(['trigger', 'key.expiring'])).errors).toContain('sent when time has passed');
  });

  test('listen refuses an unknown type and a missing receiver', async () => {
    const unknown = await run(['listen', '--forward-to', 'http://127.0.0.1:7/', '--types', 'coffee.made']);
    expect(unknown).toMatchObject({ code: 2, errors: expect.stringContaining('no event type coffee.made') });
    expect((await run(['listen'])).errors).toContain('--forward-to is missing');
  });
});

/** A network in front of the service that can be cut. */
async function startNetwork(service: string) {
  const { hostname, port } = new URL(service);
  const sockets = new Set<Socket>();
  let isCut = false;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {}).on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as { port: number };
  const mend = () => {
    isCut = false;
  };
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    mend,
    close() {
      cut();
      server.close();
    },
  };
}
