import { createHash } from 'node:crypto';
import {
  canonicalJson,
  formatTilePath,
  leafHash,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  rootNodes,
  tileHashReader,
  tilesOf,
  treeRoot,
  type VerifyOptions,
  verify,
  verifyConsistency,
} from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logDifferencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { factKinds } from '#ledger/log/facts.js';
import { leavesByKind, settledLog } from '../../ledger/log/logDeps.js';
import { filedDispute, resolve } from '../attestation/disputeFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { alias, ask, link, reportOf } from '../subjects/linkFixtures.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

describe.each(breadth)('receipts and proofs of the log on %s', (engine) => {
  let service: TestService;
  let options: VerifyOptions;

  beforeAll(async () => {
    service = await startTestService(engine, {
      env: { BASE_URL: 'https://reliability.example' },
      inFirstGroup: true,
    });
    const { body } = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    const vkeys = [body, ...body.otherLogs].map(({ vkey }) => vkey);
    options = {
      logKey: vkeys.map(parseVerifierKey),
      get now() {
        return new Date(Date.now() + 60_000);
      },
    };
  });
  afterAll(() => service.close());

  async function read(path: string) {
    await service.settle();
    await settledLog(service.db);
    const { status, body, text } = await service.request('GET', path);
    expect(status).toBe(200);
    // A proof is put together as text.
    expect(text).toBe(JSON.stringify(body));
    return body;
  }

  /** What is open to everyone, below `/log`. */
  const ofLog = (path: string) => service.request('GET', `!/log/${path}`, { key: null });

  test('a receipt proves the event, its free text, and no other fact', async () => {
    const metadata = { b: [1, 'é'], a: null, huge: 12345678901234567000 };
    const { eventId } = (await report(service, outcome({ ...good, metadata, transactionValue: 12.5 }))).body;
    const receipt = await read(`/events/${eventId.toUpperCase()}/receipt`);
    expect(receipt.eventId).toBe(eventId);
    expect(await verify(receipt, options)).toMatchObject({ kind: 'receipt', ok: true, isComplete: true });
    const text = canonicalJson({ metadata, transactionValue: 12.5 });
    const salt = Buffer.from(receipt.salt, 'base64');
    const hash = createHash('sha256').update(salt).update(text).digest('base64');
    expect(receipt.fact.textHash).toBe(hash);
    const asText = await service.request('GET', `/events/${eventId}/receipt?format=tlog-proof`);
    expect(asText.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await verify(asText.text, options)).toMatchObject({ kind: 'receipt', ok: true, isComplete: true });
    const changed = { ...receipt, fact: { ...receipt.fact, eventType: 'CONTRACT_BREACHED' } };
    expect(await verify(changed, options)).toMatchObject({ ok: false });
  });

  test('receipt=1 adds the receipt to the answer of the write', async () => {
    const { status, body } = await service.request('POST', '/events?receipt=1', { body: outcome() });
    expect(status).toBe(201);
    expect(body.receipt).toMatchObject({ eventId: body.eventId, fact: { eventId: body.eventId } });
  });

  test('a test event is answered without a receipt and says why', async () => {
    const { status, body } = await service.request('POST', '/events?receipt=1', {
      key: service.testKey,
      body: outcome(),
    });
    expect(status).toBe(201);
    expect(body.receipt).toBeUndefined();
    expect(body.warnings).toMatchObject([{ code: 'TEST_MODE_NOT_ALLOWED' }]);
  });

  test('a score of outcomes of all kinds is verified to the last digit', async () => {
    const userId = 'zoë/7 of "many" kinds';
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    for (const [i, eventType] of [
      'CONTRACT_FULFILLED',
      'CONTRACT_BREACHED',
      'TRANSACTION_DISPUTED',
    ].entries()) {
      const dates = { completedAt: daysAgo((i + 1) * 40), dueDate: daysAgo((i + 1) * 41) };
      const metadata = { order: 12_345 + i, note: 'as agreed' };
      await report(service, outcome({ userId, eventType, ...dates, metadata, transactionValue: 9.5 }));
      const { completedAt } = dates;
      await report(service, outcome({ userId, ...good, stakeLevel: 'LOW', completedAt }));
    }
    const proof = await read(`/users/${encodeURIComponent(userId)}/score/proof`);
    expect(await verify(proof, options)).toMatchObject({ ok: true, isComplete: true });
    expect(proof.members[0].events).toHaveLength(6);
  });

  test('the reasons in a proof are those that the service gives for the score, also while it is frozen', async () => {
    const userId = 'with reasons';
    await report(service, outcome({ userId, ...good }));
    await report(service, outcome({ userId, eventType: 'CONTRACT_BREACHED', isVerified: true }));
    const path = `/users/${encodeURIComponent(userId)}/score`;
    const { reasons, ...rest } = await read(`${path}/proof`);
    const explained = (await service.request('GET', `${path}/explain`)).body;
    const codes = (list: { code: string }[]) => list.map(({ code }) => code);
    expect(reasons).toEqual({
      factors: Object.fromEntries(
        explained.factors.map((each: { name: string; contribution: number }) => [
          each.name,
          each.contribution,
        ]),
      ),
      adverse: codes(explained.reasonCodes.adverseActionReasons),
      supporting: codes(explained.reasonCodes.supportingFactors),
    });
    expect(reasons.adverse).toContain('LOW_COMPLETION_RATE');
    const changed = { ...reasons, adverse: reasons.adverse.slice(1) };
    const { steps } = await verify({ ...rest, reasons: changed }, options);
    expect(steps.filter(({ ok }) => ok !== true)).toMatchObject([{ name: 'reasons', ok: false }]);

    await service.db.execute('update score set frozen_at = now() where external_id = $1', [userId]);
    await report(service, outcome({ userId, ...good }));
    const frozen = await read(`${path}/proof`);
    expect(frozen).toMatchObject({ reasons, snapshot: { fact: { members: [{ position: 2 }] } } });
    expect(await verify(frozen, options)).toMatchObject({ ok: true, isComplete: true });
  });

  test('a contested event counts until its dispute has ended, also for the verifier', async () => {
    const userId = 'contested';
    await report(service, outcome({ userId, ...good }));
    const open = await filedDispute(service, { userId });
    const before = await read(`/users/${userId}/score/proof`);
    expect(await verify(before, options)).toMatchObject({ ok: true, isComplete: true });
    expect(await resolve(service, open.id)).toMatchObject({ status: 200 });
    const after = await read(`/users/${userId}/score/proof`);
    expect(await verify(after, options)).toMatchObject({ ok: true, isComplete: true });
    const { events } = after.members[0];
    expect(events.some(({ fact }: { fact: { closes: string | null } }) => fact.closes !== null)).toBe(true);

    const kept = { checkpoint: before.checkpoint, file: before };
    const [from, to] = [before, after].map(({ checkpoint }) => checkpoint.split('\n')[1]);
    const { proof: consistency } = await read(`!/log/consistency?from=${from}&to=${to}`);
    const compared = await verify(after, { ...options, kept: { ...kept, consistency } });
    for (const name of ['history', 'kept', 'lateness'])
      expect(compared.steps.find((step) => step.name === name)).toMatchObject({ ok: true });
    expect(compared.isComplete).toBe(true);
  });

  test('of a linked record, events of the other platform are commitments, and score and reasons are said to be unchecked', async () => {
    const first = await alias(service, 'linked-first', [good, good]);
    const second = await alias(service, 'linked-second', [good]);
    expect(await link(service, second, first)).toMatchObject({ status: 201 });
    await reportOf(service, second, good);
    await service.settle();
    await settledLog(service.db);
    const { body } = await ask(service, first, 'GET', '/score/proof');
    const verification = await verify(body, options);
    const unchecked = verification.steps.filter(({ ok }) => ok !== true);
    expect(unchecked.map(({ name }) => name)).toEqual(['score', 'reasons']);
    expect(verification.ok).toBe(true);
    const members: { subject?: string; events: object[] }[] = body.members;
    const other = members.findIndex(({ subject }) => subject === undefined);
    expect(members[other]?.events).toEqual([
      { leafIndex: expect.any(Number), d: expect.any(String) },
      { leafIndex: expect.any(Number), d: expect.any(String) },
    ]);
    const counted: { position: number; chain: string }[] = body.snapshot.fact.members;
    expect(counted.map(({ position }) => position)).toEqual(members.map(({ events }) => events.length));
    expect(counted.map(({ chain }) => chain)).toEqual(counted.map(({ chain }) => chain).sort());

    // A holder cannot take the others' events out of it, nor make the score look wrong.
    const cut = { ...body, members: members.toSpliced(other, 1) };
    const before = members.slice(0, other).flatMap(({ events }) => events).length;
    const eventProofs = body.eventProofs.toSpliced(before, 2);
    const { steps } = await verify({ ...cut, eventProofs }, options);
    const failing = steps.filter(({ ok }) => ok === false);
    expect(failing.map(({ name }) => name)).toEqual(['completeness']);
  });

  test('anyone computes the root of a checkpoint from the public tiles', async () => {
    await report(service, outcome({ userId: 'tiled', ...good }));
    await settledLog(service.db);
    const { size, root } = parseCheckpoint(parseNote((await ofLog('checkpoint')).text).text);
    const tiles = new Map<string, Uint8Array>();
    for (const tile of tilesOf(rootNodes(size), size)) {
      const answer = await fetch(`${service.url}/log/tile/${formatTilePath(tile)}`);
      tiles.set(`${tile.level}/${tile.index}`, new Uint8Array(await answer.arrayBuffer()));
    }
    const hashOf = tileHashReader(({ level, index }) => tiles.get(`${level}/${index}`) ?? new Uint8Array());
    expect(treeRoot(size, hashOf)).toEqual(root);
  });

  test('declarations, disputes and withdrawals of share tokens are leaves, and the audit agrees', async () => {
    const { declaration, disputeOpened, disputeEnded, shareToken } = factKinds;
    const counted = async () => {
      await service.settle();
      await settledLog(service.db);
      const leaves = await leavesByKind(service.db);
      return [declaration, disputeOpened, disputeEnded, shareToken].map((kind) => leaves[kind] ?? 0);
    };
    const before = await counted();
    const userId = 'disputed';
    await service.request('POST', '/agents', { body: { userId: 'agent-1' } });
    await resolve(service, (await filedDispute(service, { userId })).id);
    await report(service, outcome({ userId, eventType: 'TRANSACTION_DISPUTED' }));
    await service.settle();
    for (const method of ['POST', 'DELETE']) await service.request(method, `/users/${userId}/share-token`);
    const added = (await counted()).map((count, index) => count - (before[index] ?? 0));
    expect(added).toEqual([1, 2, 1, 1]);
    expect(await logDifferencesIn(service.db)).toEqual([]);
  });

  test('the checkpoint is a public text that scripts of every website may read', async () => {
    const { status, headers, text } = await ofLog('checkpoint');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('public, max-age=2');
    expect(parseCheckpoint(parseNote(text).text).size).toBeGreaterThan(0);
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
    const rows = await service.ledger.query<{ size: number; root: Buffer }>(
      'select tree_size as size, root from log_checkpoint order by tree_size',
    );
    const newest = rows.at(-1) ?? expect.unreachable();
    for (const { size: from, root: fromRoot } of rows) {
      const { body } = await ofLog(`consistency?from=${from}&to=${newest.size}`);
      const proof = body.proof.map((hash: string) => Buffer.from(hash, 'base64'));
      const sizes = { from, to: newest.size };
      expect(verifyConsistency({ ...sizes, fromRoot, toRoot: newest.root, proof })).toBe(true);
    }
  });

  test.each(['from=3&to=2', 'from=1&to=99999999', 'from=x&to=2', 'to=2', ''])(
    'no consistency proof for ?%s',
    async (query) => {
      const { status, body } = await ofLog(`consistency?${query}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );

  test('a tile holds the hashes of leaves, is cut to its width and never changes', async () => {
    await settledLog(service.db); // a log that grows would have the tile that is missing
    const [facts, { text }] = await Promise.all([
      service.ledger.query<{ d: Buffer }>('select d from log_fact order by leaf_index limit 3'),
      ofLog('checkpoint'),
    ]);
    const { size } = parseCheckpoint(parseNote(text).text);
    const answer = await fetch(`${service.url}/log/tile/0/000.p/3`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes).toEqual(Buffer.concat(facts.map(({ d }) => leafHash(d))));
    expect((await fetch(`${service.url}/log/tile/0/000.p/${size + 1}`)).status).toBe(404);
  });

  test.each(['0/000', '0/001.p/1', '9/000.p/1', '0/a/b/c/d'])('there is no tile %s', async (path) => {
    const { status, body } = await ofLog(`tile/${path}`);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
  });
});
