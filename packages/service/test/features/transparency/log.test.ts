import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type JsonValue,
  leafHash,
  openNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  verify,
  verifyConsistency,
  verifyInclusion,
} from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logDifferencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { factKinds } from '#ledger/log/facts.js';
import { leavesByKind, settledLog } from '../../ledger/log/logDeps.js';

interface Opened {
  leafIndex: number;
  salt: string;
  fact: { [name: string]: JsonValue };
}

describe.each(breadth)('receipts and proofs of the log on %s', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine, {
      env: { BASE_URL: 'https://reliability.example' },
      inFirstGroup: true,
    });
  });
  afterAll(() => service.close());

  const report = async (userId: string, more: object = {}) => {
    const body = { userId, eventType: 'CONTRACT_FULFILLED', stakeLevel: 'HIGH', isVerified: true, ...more };
    return (await service.request('POST', '/events', { body })).body.eventId as string;
  };

  /** The checkpoint of an answer, verified with the published key. */
  async function openCheckpoint(note: string) {
    const { body } = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    const parsed = parseNote(note);
    await openNote(parsed, [parseVerifierKey(body.vkey)]);
    return parseCheckpoint(parsed.text);
  }

  const commitment = ({ salt, fact }: Opened) =>
    createHash('sha256').update(Buffer.from(salt, 'base64')).update(canonicalJson(fact)).digest();

  const isIncluded = (leafIndex: number, d: Uint8Array, proof: string[], size: number, root: Uint8Array) =>
    verifyInclusion({
      index: leafIndex,
      size,
      leaf: leafHash(d),
      proof: proof.map((hash) => Buffer.from(hash, 'base64')),
      root,
    });

  test('a receipt proves the event under a checkpoint that the published key signed', async () => {
    const metadata = { order: 'A-1', huge: 12345678901234567000 };
    const eventId = await report('worker-1', { metadata, transactionValue: 480 });
    await settledLog(service.db);
    const { body } = await service.request('GET', `/events/${eventId.toUpperCase()}/receipt`);
    expect(body.eventId).toBe(eventId);
    expect(body.fact).toMatchObject({
      kind: 'event',
      eventId,
      position: 1,
      previous: null,
      stakeLevel: 'HIGH',
    });
    const { origin, size, root } = await openCheckpoint(body.checkpoint);
    expect(origin).toBe('reliability.example/log');
    expect(isIncluded(body.leafIndex, commitment(body), body.proof, size, root)).toBe(true);
    const changed = { ...body, fact: { ...body.fact, stakeLevel: 'LOW' } };
    expect(isIncluded(body.leafIndex, commitment(changed), body.proof, size, root)).toBe(false);
  });

  test('the hash of free text in a receipt follows from what the platform sent', async () => {
    const metadata = { b: [1, 'é'], a: null };
    const eventId = await report('worker-text', { metadata, transactionValue: 12.5, isVerified: false });
    await settledLog(service.db);
    const { fact, salt } = (await service.request('GET', `/events/${eventId}/receipt`)).body;
    const text = canonicalJson({ metadata, transactionValue: 12.5 });
    const hash = createHash('sha256').update(Buffer.from(salt, 'base64')).update(text).digest('base64');
    expect(fact.textHash).toBe(hash);
  });

  test('receipt=1 adds the receipt to the answer of the write', async () => {
    const { status, body } = await service.request('POST', '/events?receipt=1', {
      body: { userId: 'worker-2', eventType: 'CONTRACT_FULFILLED' },
    });
    expect(status).toBe(201);
    expect(body.receipt).toMatchObject({ eventId: body.eventId, fact: { eventId: body.eventId } });
  });

  test('a test event is answered without a receipt and says why', async () => {
    const { status, body } = await service.request('POST', '/events?receipt=1', {
      key: service.testKey,
      body: { userId: 'test:worker', eventType: 'CONTRACT_FULFILLED' },
    });
    expect(status).toBe(201);
    expect(body.receipt).toBeUndefined();
    expect(body.warnings).toMatchObject([{ code: 'TEST_MODE_NOT_ALLOWED' }]);
    const receipt = await service.request('GET', `/events/${body.eventId}/receipt`, { key: service.testKey });
    expect(receipt).toMatchObject({ status: 403, body: { code: 'TEST_MODE_NOT_ALLOWED' } });
  });

  test('a proof holds every event of the score in one chain, each included in the log', async () => {
    for (let i = 0; i < 6; i += 1) await report('worker-3');
    await service.request('POST', '/events', {
      body: { userId: 'worker-3', eventType: 'CONTRACT_BREACHED' },
    });
    await service.settle();
    await settledLog(service.db);
    const { body } = await service.request('GET', '/users/worker-3/score/proof');
    const { body: score } = await service.request('GET', '/users/worker-3/score');
    expect(body.snapshot.fact).toMatchObject({ kind: 'snapshot', finalScore: score.finalScore });
    expect(body.members).toMatchObject([{ subject: body.snapshot.fact.subject }]);
    expect(body.snapshot.fact.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
    const { size, root } = await openCheckpoint(body.checkpoint);
    let previous: string | null = null;
    let chain: Buffer = Buffer.alloc(32);
    for (const [index, event] of (body.members[0].events as Opened[]).entries()) {
      expect(event.fact).toMatchObject({ position: index + 1, previous });
      const d = commitment(event);
      expect(isIncluded(event.leafIndex, d, body.eventProofs[index], size, root)).toBe(true);
      previous = d.toString('base64');
      chain = createHash('sha256').update(chain).update(d).digest();
    }
    expect(body.snapshot.fact.members).toEqual([{ position: 7, chain: chain.toString('base64') }]);
    expect(
      isIncluded(body.snapshot.leafIndex, commitment(body.snapshot), body.snapshot.proof, size, root),
    ).toBe(true);
  });

  test('the verifier accepts receipts and proofs of this service in every step, and no changed one', async () => {
    const eventId = await report('worker-5', { metadata: { order: 'A-5' } });
    await report('worker-5', { eventType: 'CONTRACT_BREACHED' });
    await service.settle();
    await settledLog(service.db);
    const identity = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    const logKey = parseVerifierKey(identity.body.vkey);
    const { body: receipt } = await service.request('GET', `/events/${eventId}/receipt`);
    const { body: proof } = await service.request('GET', '/users/worker-5/score/proof');
    for (const made of [receipt, proof]) {
      const { steps } = await verify(made, { logKey });
      expect(steps.filter(({ ok }) => ok !== true)).toEqual([]);
    }
    const [{ subject, events }] = proof.members;
    const [first, ...others] = events;
    const changed = { ...first, fact: { ...first.fact, isVerified: false } };
    const members = [{ subject, events: [changed, ...others] }];
    expect((await verify({ ...proof, members }, { logKey })).ok).toBe(false);
  });

  test('declarations, disputes and withdrawals of share tokens are leaves, and the audit agrees', async () => {
    const post = (path: string, body?: object) => service.request('POST', path, { body });
    await post('/agents', { userId: 'agent-1' });
    const eventId = await report('worker-4', { eventType: 'CONTRACT_BREACHED' });
    const { body: filed } = await post('/disputes', { eventId });
    await post(`/disputes/${filed.dispute?.id ?? filed.id}/resolve`);
    await report('worker-4', { eventType: 'TRANSACTION_DISPUTED' });
    await service.settle();
    await post('/users/worker-4/share-token');
    await service.request('DELETE', '/users/worker-4/share-token');
    await settledLog(service.db);
    const leaves = await leavesByKind(service.db);
    const { declaration, disputeOpened, disputeEnded, shareToken } = factKinds;
    expect([declaration, disputeOpened, disputeEnded, shareToken].map((kind) => leaves[kind])).toEqual([
      1, 2, 1, 1,
    ]);
    expect(await logDifferencesIn(service.db)).toEqual([]);
  });

  test('the checkpoint is a public text that scripts of every website may read', async () => {
    const { status, headers, text } = await service.request('GET', '!/log/checkpoint', { key: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=2');
    expect((await openCheckpoint(text)).size).toBeGreaterThan(0);
  });

  test('the DID document names the key of each log', async () => {
    const { body } = await service.request('GET', '!/.well-known/did.json', { key: null });
    const identity = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    const logs: { origin: string; vkey: string }[] = [identity.body, ...identity.body.otherLogs];
    expect(logs[0]?.origin).toBe('reliability.example/log');
    expect(body.service).toMatchObject(
      logs.map(({ origin, vkey }) => ({ serviceEndpoint: `https://${origin}`, vkey })),
    );
  });

  test('any two sizes up to the checkpoint have a consistency proof', async () => {
    await settledLog(service.db);
    const rootAt = new Map<number, Uint8Array>();
    const rows = await service.ledger.query<{ treeSize: number; root: Buffer }>(
      'select tree_size, root from log_checkpoint',
    );
    for (const { treeSize, root } of rows) rootAt.set(treeSize, root);
    const sizes = [...rootAt.keys()].sort((a, b) => a - b);
    const to = sizes.at(-1) ?? 0;
    for (const from of sizes) {
      const { body } = await service.request('GET', `!/log/consistency?from=${from}&to=${to}`, { key: null });
      const proof = body.proof.map((hash: string) => Buffer.from(hash, 'base64'));
      const [fromRoot, toRoot] = [rootAt.get(from) as Uint8Array, rootAt.get(to) as Uint8Array];
      expect(verifyConsistency({ from, to, fromRoot, toRoot, proof })).toBe(true);
    }
  });

  test.each(['from=3&to=2', 'from=1&to=99999999', 'from=x&to=2', 'to=2', ''])(
    'no consistency proof for ?%s',
    async (query) => {
      const { status, body } = await service.request('GET', `!/log/consistency?${query}`, { key: null });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );

  test('a tile holds the hashes of leaves, is cut to its width and never changes', async () => {
    await settledLog(service.db); // a log that grows would have the tile that is missing
    const [facts, { text }] = await Promise.all([
      service.ledger.query<{ d: Buffer }>('select d from log_fact order by leaf_index limit 3'),
      service.request('GET', '!/log/checkpoint', { key: null }),
    ]);
    const { size } = parseCheckpoint(parseNote(text).text);
    const answer = await fetch(`${service.url}/log/tile/0/000.p/3`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes).toEqual(Buffer.concat(facts.map(({ d }) => leafHash(d))));
    expect((await fetch(`${service.url}/log/tile/0/000.p/${size + 1}`)).status).toBe(404);
  });

  test.each([
    '0/000',
    '0/001.p/1',
    '9/000.p/1',
    '0/0',
    '0/x001/1',
    '0/000.p/0',
    '0/000.p/256',
    'x/000',
    '0/a/b/c/d',
  ])('there is no tile %s', async (path) => {
    const { status, body } = await service.request('GET', `!/log/tile/${path}`, { key: null });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
  });
});
