import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { fulfilled, reportAll } from '../insight/recordFixtures.js';
import { scopedKey } from '../intake/eventFixtures.js';
import { called, connected, ERAS } from './mcpFixtures.js';

const TOOLS = [
  'read_score',
  'explain_score',
  'find_subjects',
  'project_score',
  'report_outcome',
  'request_confirmation',
  'verify_proof',
  'suggest_next',
];

describe.each(breadth)('the tools for agents on %s', (engine) => {
  const service = givenService(engine, { inFirstGroup: true });
  const open: Client[] = [];
  const clientOf = async (
    key: string | null = service.liveKey,
    { mode }: Pick<(typeof ERAS)[number], 'mode'> = ERAS[0],
    path = '/mcp',
  ) => {
    const headers: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` };
    const transport = new StreamableHTTPClientTransport(new URL(service.url + path), {
      requestInit: { headers },
    });
    const client = await connected(transport, mode);
    open.push(client);
    return client;
  };
  const answerOf = async (method: string, path: string, key?: string) =>
    (await service.request(method, path, { key })).body;
  const usage = async () => (await answerOf('GET', '/usage')).endpoints as { route: string; count: number }[];
  const countOf = async (route: string) => (await usage()).find((one) => one.route === route)?.count ?? 0;
  beforeAll(async () => {
    await reportAll(service, 'ana', [fulfilled, fulfilled, { ...fulfilled, isVerified: false }]);
    await settledLog(service.db);
  });
  afterAll(() => Promise.all(open.map((client) => client.close())));

  test.each(ERAS)(
    'are eight, and read, find, project and suggest as the operations do: $era',
    async (era) => {
      const client = await clientOf(service.liveKey, era);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      for (const { inputSchema, description } of tools) {
        expect(inputSchema.type).toBe('object');
        expect(description).toBeTruthy();
      }
      const { evidence, isError, ...score } = await called(client, 'read_score', { userId: 'ana' });
      expect([isError, score]).toEqual([false, await answerOf('GET', '/users/ana/score')]);
      const events = [{ eventType: 'CONTRACT_BREACHED', isVerified: true }];
      const projected = await called(client, 'project_score', { userId: 'ana', events });
      expect(projected.projected.score).toBeLessThan(score.finalScore);
      const explained = await called(client, 'explain_score', { userId: 'ana' });
      expect(explained).toMatchObject({ finalScore: score.finalScore, evidence });
      const suggested = await called(client, 'suggest_next', { userId: 'ana' });
      expect(suggested).toMatchObject(await answerOf('GET', '/users/ana/score/suggestions'));
      const found = await called(client, 'find_subjects', { q: 'an' });
      expect(found.users.map(({ externalId }: { externalId: string }) => externalId)).toContain('ana');
    },
  );

  test.each(['/mcp', '/api/v1/mcp'])('are served at %s', async (path) => {
    const client = await clientOf(service.liveKey, ERAS[0], path);
    expect((await called(client, 'read_score', { userId: 'ana' })).userId).toBe('ana');
  });

  test('answer with evidence about the score that is verified offline with the key of the log', async () => {
    const client = await clientOf();
    const { evidence, finalScore } = await called(client, 'read_score', { userId: 'ana' });
    const proof = await answerOf('GET', '/users/ana/score/proof');
    expect(evidence).toEqual({
      formulaVersion: '5.3',
      leafIndex: proof.snapshot.leafIndex,
      checkpoint: expect.stringContaining('/log\n'),
      logged: proof.snapshot.fact,
      proof: '/api/v1/users/ana/score/proof',
    });
    expect(evidence.logged.finalScore).toBe(finalScore);
    const { vkey } = (await service.request('GET', '!/.well-known/ledger-log.json')).body;
    const verified = await called(client, 'verify_proof', { userId: 'ana', vkey });
    expect(verified).toMatchObject({ isError: false, ok: true, kind: 'score proof' });
    expect(await called(client, 'verify_proof', { proof, vkey })).toMatchObject({
      ok: true,
      isComplete: verified.isComplete,
    });
    expect(await called(client, 'verify_proof', { userId: 'ana' })).toMatchObject({
      ok: true,
      isComplete: false,
    });
    proof.snapshot.fact.finalScore = 99;
    expect(await called(client, 'verify_proof', { proof, vkey })).toMatchObject({ ok: false });
    const none = await called(client, 'verify_proof', {});
    expect(none).toEqual({ isError: true, error: 'Give one of userId, eventId and proof.' });
    expect((await called(client, 'verify_proof', { userId: 'ana', vkey: 'none' })).isError).toBe(true);
    await reportAll(service, 'tested', [fulfilled], service.testKey);
    const inTest = await called(await clientOf(service.testKey), 'read_score', { userId: 'tested' });
    expect(inTest.evidence).toMatchObject({ formulaVersion: '5.3', leafIndex: null, checkpoint: null });
    expect(inTest.evidence.reason).toBeTruthy();
  });

  test('report an outcome once, ask for its confirmation, and find both in the receipt', async () => {
    const client = await clientOf();
    const { vkey } = (await service.request('GET', '!/.well-known/ledger-log.json')).body;
    const outcome = { userId: 'ben', eventType: 'CONTRACT_FULFILLED', idempotencyKey: 'mcp-task-1' };
    const [first, again] = [
      await called(client, 'report_outcome', outcome),
      await called(client, 'report_outcome', outcome),
    ];
    expect(again.eventId).toBe(first.eventId);
    await service.settle();
    await settledLog(service.db);
    const receipt = await called(client, 'verify_proof', { eventId: first.eventId, vkey });
    expect(receipt).toMatchObject({ ok: true, kind: 'receipt' });
    const asked = await called(client, 'request_confirmation', {
      userId: 'ben',
      eventType: 'CONTRACT_FULFILLED',
      description: 'Translated the manual',
      counterpartyRef: 'customer-9',
    });
    expect(asked).toMatchObject({ isError: false, confirmation: { status: 'PENDING' } });
    expect(asked.confirmUrl).toContain('/confirm/');
  });

  test('refuse what the key may not do, with the error of the operation', async () => {
    const client = await clientOf(await scopedKey(service, ['scores:read']));
    const refused = await called(client, 'report_outcome', {
      userId: 'eve',
      eventType: 'CONTRACT_FULFILLED',
    });
    expect(refused).toMatchObject({ isError: true, code: 'SCOPE_INSUFFICIENT', status: 403 });
    expect((await service.request('GET', '/users/eve/score')).status).toBe(404);
    const unknown = await called(client, 'read_score', { userId: 'nobody' });
    expect(unknown).toMatchObject({ isError: true, code: 'USER_NOT_FOUND' });
    const invalid = await called(await clientOf(), 'report_outcome', {
      userId: 'eve',
      eventType: 'CONTRACT_FULFILLED',
      completedAt: 'yesterday',
    });
    expect(invalid).toMatchObject({
      isError: true,
      code: 'VALIDATION_ERROR',
      details: [{ path: 'completedAt' }],
    });
    await expect(called(client, 'read_score', {})).resolves.toMatchObject({ isError: true });
  });

  test('count as calls of their operations, and the message itself not against the quota', async () => {
    const { body: created } = await service.request('POST', '/admin/platforms', {
      admin: true,
      body: { name: 'Agents', plan: 'growth' },
    });
    const { key } = created.keys.live;
    const used = async () => (await answerOf('GET', '/usage/quota', key)).used;
    const client = await clientOf(key);
    const before = await used();
    await called(client, 'find_subjects', {});
    expect(await used()).toBe(before + 1);
    expect(await countOf('POST /mcp')).toBeGreaterThan(0);
  });

  test('need a key, take one message at a time, and keep no stream open', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { Accept: 'application/json, text/event-stream' };
    const send = (body: unknown, key: string | null | undefined = undefined) =>
      service.request('POST', '/mcp', { key, body, headers: accept });
    expect((await send(message, null)).status).toBe(401);
    expect((await send([message, message])).status).toBe(400);
    expect((await send({ jsonrpc: '1.0' })).status).toBe(400);
    expect((await service.request('GET', '!/mcp', { headers: accept })).status).toBe(405);
    const listen = { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { notifications: {} } };
    expect((await send(listen)).text).toContain('error');
    await expect(clientOf(null)).rejects.toThrow();
  });
});
