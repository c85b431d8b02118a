import {
  formatTilePath,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  rootNodes,
  tileHashReader,
  tilesOf,
  treeRoot,
  type Verification,
  type VerifyOptions,
  verify,
} from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { filedDispute, resolve } from '../attestation/disputeFixtures.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { alias, ask, link, reportOf } from '../subjects/linkFixtures.js';

const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true };

describe.each(breadth)('answers of the log, verified by packages/proof, on %s', (engine) => {
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

  test('a score of outcomes of all kinds is verified to the last digit', async () => {
    const userId = 'zoë/7 of "many" kinds';
    const day = 86_400_000;
    for (const [i, eventType] of [
      'CONTRACT_FULFILLED',
      'CONTRACT_BREACHED',
      'TRANSACTION_DISPUTED',
    ].entries()) {
      const completedAt = new Date(Date.now() - (i + 1) * 40 * day).toISOString();
      const dueDate = new Date(Date.now() - (i + 1) * 41 * day).toISOString();
      const metadata = { order: 12_345 + i, note: 'as agreed' };
      await report(
        service,
        outcome({ userId, eventType, completedAt, dueDate, metadata, transactionValue: 9.5 }),
      );
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
    expect(uncheckedOf(verification)).toEqual(['score', 'reasons']);
    expect(verification.ok).toBe(true);
    const members: Member[] = body.members;
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
    const eventProofs = body.eventProofs.filter((_: unknown, index: number) => !isOf(members, other, index));
    const { steps } = await verify({ ...cut, eventProofs }, options);
    const failing = steps.filter(({ ok }) => ok === false);
    expect(failing.map(({ name }) => name)).toEqual(['completeness']);
  });

  test('anyone computes the root of a checkpoint from the public tiles', async () => {
    await report(service, outcome({ userId: 'tiled', ...good }));
    await settledLog(service.db);
    const note = parseNote((await service.request('GET', '!/log/checkpoint', { key: null })).text);
    const { size, root } = parseCheckpoint(note.text);
    const tiles = new Map<string, Uint8Array>();
    for (const tile of tilesOf(rootNodes(size), size)) {
      const answer = await fetch(`${service.url}/log/tile/${formatTilePath(tile)}`);
      tiles.set(`${tile.level}/${tile.index}`, new Uint8Array(await answer.arrayBuffer()));
    }
    const hashOf = tileHashReader(({ level, index }) => tiles.get(`${level}/${index}`) ?? new Uint8Array());
    expect(treeRoot(size, hashOf)).toEqual(root);
  });

  test('a receipt is verified, and not with another fact', async () => {
    const { body } = await report(service, outcome({ userId: 'kept', ...good }));
    const receipt = await read(`/events/${body.eventId}/receipt`);
    expect(await verify(receipt, options)).toMatchObject({ kind: 'receipt', ok: true, isComplete: true });
    const { text, headers } = await service.request(
      'GET',
      `/events/${body.eventId}/receipt?format=tlog-proof`,
    );
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await verify(text, options)).toMatchObject({ kind: 'receipt', ok: true, isComplete: true });
    const changed = { ...receipt, fact: { ...receipt.fact, eventType: 'CONTRACT_BREACHED' } };
    expect(await verify(changed, options)).toMatchObject({ ok: false });
  });
});

interface Member {
  subject?: string;
  events: object[];
}

/** Whether a proof in the order of all members' events is of this member. */
function isOf(members: readonly Member[], member: number, index: number): boolean {
  const before = members.slice(0, member).reduce((sum, { events }) => sum + events.length, 0);
  return index >= before && index < before + (members[member]?.events.length ?? 0);
}

function uncheckedOf({ steps }: Verification): string[] {
  return steps.filter(({ ok }) => ok !== true).map(({ name }) => name);
}
