import { describe, expect, test } from 'vitest';
import { envelopeSchema, envelopeTypes } from '#domain/envelopes/catalogue.js';
import { breadth } from '#harness/engines.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { idsOf, leasesTaken, pause, streamKit, untilReceived, write, writtenIds } from './streamFixtures.js';

describe.each(breadth)('GET /events/stream on %s', (engine) => {
  const { start, join, open } = streamKit();

  test('begins at once, with the headers that prevent buffering by proxies', async () => {
    const { service, live } = await join(engine);
    const stream = await open(service, live.key);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers).not.toHaveProperty('content-encoding');
    expect(stream.parsed.comments).toHaveLength(1);
    expect(stream.parsed.retryMs).toBeGreaterThan(0);
    expect(stream.parsed.events).toEqual([]);
  });

  test('sends a score change with the same envelope as webhooks', async () => {
    const { service, platformId, live } = await join(engine);
    const stream = await open(service, live.key);
    await report(service, outcome({ userId: 'mover', isVerified: true }), { key: live.key });
    await untilReceived(stream, 1);
    const [event] = stream.parsed.events;
    const envelope = JSON.parse(event?.data ?? '');
    expect(event).toMatchObject({ type: 'score.updated', lastEventId: envelope.id });
    expect(envelopeSchema('score.updated').safeParse(envelope).error).toBeUndefined();
    expect(envelope).toMatchObject({ livemode: true, data: { user: { externalId: 'mover' } } });
    const [row] = await service.db.query<{ body: string }>(
      'select body from envelope where platform_id = $1 and envelope_id = $2',
      [platformId, envelope.id],
    );
    expect(event?.data).toBe(row?.body);
  });

  test('sends only the requested types', async () => {
    const { service, platformId, live } = await join(engine);
    const some = await open(service, live.key, { types: 'import.completed, dispute.resolved' });
    const all = await open(service, live.key);
    for (const type of envelopeTypes) await write(service.db, { platformId, type });
    await untilReceived(all, envelopeTypes.length);
    await untilReceived(some, 2);
    expect(all.parsed.events.map(({ type }) => type)).toEqual(envelopeTypes);
    expect(some.parsed.events.map(({ type }) => type)).toEqual(['dispute.resolved', 'import.completed']);
  });

  test.each(['score.moved', '', 'score.updated,,score.updated'])(
    'refuses the type in types=%s by its name',
    async (types) => {
      const { service, platformId, live } = await join(engine);
      const answer = await service.request('GET', `/events/stream?types=${types}`, { key: live.key });
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('VALIDATION_ERROR');
      const wrong = types.split(',').find((name) => name !== 'score.updated');
      expect(answer.body.details).toMatchObject([{ path: 'types', code: 'custom' }]);
      expect(answer.body.details[0].message).toContain(`"${wrong}"`);
      expect(await leasesTaken(service.db, platformId)).toBe(0);
    },
  );

  test('sends nothing of another platform or mode', async () => {
    const { service, platformId, live, test: testKey } = await join(engine);
    const streams = [await open(service, live.key), await open(service, testKey.key)];
    await write(service.db, { platformId: UNKNOWN_ID });
    await write(service.db, { platformId, livemode: false });
    await write(service.db, { platformId, livemode: true });
    for (const stream of streams) await untilReceived(stream, 1);
    await pause(50);
    const modes = streams.map(({ parsed }) => parsed.events.map(({ data }) => JSON.parse(data).livemode));
    expect(modes).toEqual([[true], [false]]);
  });

  test('leaves out envelopes for a single target', async () => {
    const { service, platformId, live } = await join(engine);
    const stream = await open(service, live.key);
    await write(service.db, { platformId });
    await untilReceived(stream, 1);
    await write(service.db, { platformId });
    await service.db.execute(
      'update envelope set only_target = $3 where platform_id = $1 and envelope_id <> $2',
      [platformId, idsOf(stream)[0], UNKNOWN_ID],
    );
    await stream.close();
    const again = await open(service, live.key, { lastEventId: idsOf(stream)[0] ?? '' });
    await write(service.db, { platformId });
    await untilReceived(again, 1);
    await pause(30);
    expect(idsOf(again)).toEqual((await writtenIds(service.db, platformId)).slice(1));
  });

  test('sends heartbeats, with the position for a reader whose filter excludes envelopes', async () => {
    const { service, platformId, live } = await start(engine, { streamHeartbeatMs: 40 });
    const quiet = await open(service, live.key, { types: 'import.completed' });
    const full = await open(service, live.key);
    await expect.poll(() => quiet.parsed.comments.length).toBeGreaterThan(3);
    expect(quiet.parsed.lastEventId).toBe('');
    await write(service.db, { platformId });
    await untilReceived(full, 1);
    await expect.poll(() => quiet.parsed.lastEventId).toBe(idsOf(full)[0]);
    expect(quiet.parsed.events).toEqual([]);
    const before = full.parsed.comments.length;
    await expect.poll(() => full.parsed.comments.length).toBeGreaterThan(before + 1);
  });

  test('answers HEAD without a body and without a lease', async () => {
    const { service, platformId, live } = await join(engine);
    const answer = await service.request('HEAD', '/events/stream', { key: live.key });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await leasesTaken(service.db, platformId)).toBe(0);
    const wrong = await service.request('HEAD', '/events/stream?types=nothing', { key: live.key });
    expect(wrong.status).toBe(400);
  });

  test('is counted as one call when it begins, however it ends', async () => {
    const { service, live } = await start(engine);
    const usage = async () => (await service.request('GET', '/usage', { key: live.key })).body.endpoints;
    const metric = async (pattern: RegExp) =>
      pattern.exec((await service.request('GET', '!/metrics', { key: null })).text)?.[1];
    const seconds = /^http_request_duration_seconds_sum\{route="\/api\/v1\/events\/stream"\} ([\d.e-]+)$/m;
    const stream = await open(service, live.key);
    const counted = { route: 'GET /events/stream', count: 1 };
    await expect.poll(usage).toContainEqual(counted);
    const inAll =
      /^http_requests_total\{method="GET",route="\/api\/v1\/events\/stream",status="200"\} (\d+)$/m;
    expect(await metric(inAll)).toBe('1');
    expect(await metric(/^event_streams_open (\d+)$/m)).toBe('1');
    const secondsToOpen = await metric(seconds);
    expect(Number(secondsToOpen)).toBeGreaterThan(0);
    await pause(300);
    stream.close();
    await expect.poll(() => metric(/^event_streams_open (\d+)$/m)).toBe('0');
    expect(await metric(inAll)).toBe('1');
    expect(await metric(seconds)).toBe(secondsToOpen);
    await pause(1100);
    expect(await usage()).toContainEqual(counted);
  });
});
