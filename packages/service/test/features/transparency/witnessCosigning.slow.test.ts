import { cosignNoteText, formatSignature, parseNote, signatureTypes } from '@reliability/proof';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { breadth, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { type Reaction, type Received, type Receiver, startReceiver } from '#harness/receiver.js';
import { systemClock } from '#kit/clock.js';
import type { OutboundFetch } from '#kit/outboundFetch.js';
import { findLatestCheckpoint, signCheckpoint } from '#ledger/log/checkpoints.js';
import { noteKey } from '#ledger/log/logKey.js';
import { readLogState } from '#ledger/log/state.js';
import { readWitnessStates } from '#ledger/log/witness/witnesses.js';
import { type TestSigner, testSigner } from '../../../../proof/test/keys.js';
import { createWitnessOutbound } from '../../../src/features/transparency/witness/askWitness.js';
import { type Cosigning, createCosigning } from '../../../src/features/transparency/witness/cosigning.js';
import { linkBench } from '../../ledger/linksDeps.js';
import { appendAll, testLogSigner } from '../../ledger/log/logDeps.js';

/** A witness that answers as C2SP tlog-witness says, unless a test makes it misbehave. */
interface FakeWitness extends TestSigner {
  receiver: Receiver;
  size: number;
  misbehave: ((request: Received) => Reaction | null) | null;
}

describe.each(breadth)('cosignatures of witnesses on %s', (engine) => {
  let database: TestDatabase;
  let outbound: OutboundFetch;
  let cosigning: Cosigning;
  let witnesses: FakeWitness[];
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

  beforeEach(async () => {
    database = await openTestDatabase(engine);
    outbound = createWitnessOutbound();
    witnesses = [await fakeWitness('w1.example'), await fakeWitness('w2.example')];
    for (const spy of Object.values(log)) spy.mockClear();
  });
  afterEach(async () => {
    for (const { receiver } of witnesses) await receiver.close();
    await cosigning.stop();
    await outbound.close();
    await database.close();
  });

  function start(quorum: number): void {
    const { db } = database;
    const named = witnesses.map(({ key, receiver }) => ({ key, url: receiver.url }));
    cosigning = createCosigning({ db, clock: systemClock, log, outbound, witnesses: named, quorum });
    cosigning.start();
  }

  /** Signs a log with news, as the sequencer does. */
  async function sign(): Promise<number> {
    const signer = await testLogSigner(database.db);
    await noteKey(database.db, signer, new Date());
    await linkBench(database.db).addWith(1);
    await appendAll(database.db);
    const { checkpoint } = await signCheckpoint(database.db, signer, new Date(), true, {
      needsWitnesses: true,
    });
    cosigning?.wake();
    return checkpoint?.treeSize ?? 0;
  }

  const published = async () => (await findLatestCheckpoint(database.db))?.treeSize ?? 0;
  const untilPublished = (size: number) => eventually(async () => (await published()) === size);
  const stateOf = async ({ key }: FakeWitness) =>
    (await readWitnessStates(database.db)).find((state) => state.key === `${key.name}+${key.id}`);

  test('a checkpoint is published when the quorum has cosigned it, with a proof from the last one', async () => {
    start(2);
    for (let round = 0; round < 3; round += 1) await untilPublished(await sign());
    const checkpoint = await findLatestCheckpoint(database.db);
    expect(checkpoint?.cosignatures).toHaveLength(2);
    const names = parseNote(checkpoint?.note ?? '').signatures.map(({ name }) => name);
    expect(names.sort()).toEqual(['reliability.example/log', 'w1.example', 'w2.example']);
    const asked = witnesses[0]?.receiver.received.map(({ body }) => body);
    expect(asked).toHaveLength(3);
    expect(asked?.[2]).toMatch(/^old [1-9]\d*\n[A-Za-z0-9+/=]{44}\n/);
  });

  test('a dead witness delays no other one, and without a quorum the newest published one stays', async () => {
    const [alive, dead] = witnesses as [FakeWitness, FakeWitness];
    start(2);
    const before = await sign();
    await untilPublished(before);
    dead.misbehave = () => 'hang up';
    const after = await sign();
    await eventually(async () => (await stateOf(alive))?.cosignedSize === after);
    expect(await published()).toBe(before);
    expect((await readLogState(database.db)).unpublishedSince).not.toBeNull();
    await eventually(async () => (await stateOf(dead))?.problem !== null);
    dead.misbehave = null;
    await untilPublished(after);
    expect(await stateOf(dead)).toMatchObject({ problem: null, failingSince: null });
  });

  test('with a quorum of one, a witness that never answers delays no checkpoint', async () => {
    const [, hanging] = witnesses as [FakeWitness, FakeWitness];
    hanging.misbehave = () => 'hang';
    start(1);
    for (let round = 0; round < 2; round += 1) await untilPublished(await sign());
    expect((await stateOf(hanging))?.cosignedSize).toBe(0);
  });

  test('a witness that knows another size is asked again from there', async () => {
    const [first] = witnesses as [FakeWitness, FakeWitness];
    start(2);
    await untilPublished(await sign());
    // As after a restored backup of the witness.
    first.size = 0;
    await untilPublished(await sign());
    expect(first.receiver.received.at(-1)?.body).toMatch(/^old 0\n\n/);
  });

  test.each<[string, (request: Received) => Reaction]>([
    ['no signature', () => ({ status: 200, body: '' })],
    ['no signature line', () => ({ status: 200, body: 'cosigned\n' })],
    ['a redirect', () => ({ status: 307, headers: { Location: 'http://127.0.0.1:1/' } })],
    ['404', () => ({ status: 404, body: 'unknown log' })],
    ['a nonsensical size', () => ({ status: 409, body: '-1\n' })],
    [
      'a size that changes at each request',
      ({ body }) => ({ status: 409, body: `${body.startsWith('old 0') ? 1 : 0}\n` }),
    ],
    ['a huge body', () => ({ status: 200, body: 'x'.repeat(200_000) })],
  ])('a witness that answers with %s has not cosigned', async (_, misbehave) => {
    const [first] = witnesses as [FakeWitness, FakeWitness];
    first.misbehave = misbehave;
    start(1);
    const size = await sign();
    await untilPublished(size);
    await eventually(async () => (await stateOf(first))?.problem != null);
    const state = await stateOf(first);
    expect(state).toMatchObject({ cosignedSize: 0, isContradicting: false });
    expect(log.error).not.toHaveBeenCalled();
  });

  test('a cosignature by another key, of another checkpoint or without a time is not kept', async () => {
    const [first, second] = witnesses as [FakeWitness, FakeWitness];
    const cases = [
      (text: string) => cosigned({ ...first, sign: second.sign }, text, 1_800_000_000),
      (text: string) => cosigned(first, text.replace(/\n\d+\n/, '\n99\n'), 1_800_000_000),
      (text: string) => cosigned(first, text, 0),
    ];
    let number = 0;
    const made = new Map<string, string>();
    const react = async (request: Received): Promise<Reaction> => {
      const { text } = parseNote(request.body.slice(request.body.indexOf('\n\n') + 2));
      const body = await (cases[number++ % cases.length] as (text: string) => Promise<string>)(text);
      made.set(text, body);
      return { status: 200, body };
    };
    first.receiver.react(react);
    start(1);
    const size = await sign();
    await eventually(() => number > cases.length);
    await untilPublished(size);
    expect(await findLatestCheckpoint(database.db)).toMatchObject({
      cosignatures: [expect.stringContaining('— w2.example ')],
    });
  });

  test.each<[string, (request: Received, size: number) => Reaction]>([
    ['a larger log under this name', (_, size) => ({ status: 409, body: `${size + 100}\n` })],
    ['a log that this one does not contain', () => ({ status: 422, body: 'inconsistent' })],
    [
      'another log of this size',
      ({ body }) => ({ status: 409, body: `${body.split('\n\n')[1]?.split('\n')[1]}\n` }),
    ],
  ])('a witness that has seen %s raises an alarm, which ends when it cosigns again', async (_, misbehave) => {
    const [first] = witnesses as [FakeWitness, FakeWitness];
    start(0);
    const size = await sign();
    await eventually(async () => (await stateOf(first))?.cosignedSize === size);
    first.misbehave = (request) => misbehave(request, size + 10);
    await sign();
    await eventually(async () => (await stateOf(first))?.isContradicting === true);
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({ witness: `${first.key.name}+${first.key.id}` }),
      'a witness contradicts the transparency log',
    );
    const asked = first.receiver.received.length;
    await sign();
    // It is not asked again soon, but after a restart.
    expect(first.receiver.received).toHaveLength(asked);
    first.misbehave = null;
    await cosigning.stop();
    start(0);
    const newest = await sign();
    await eventually(async () => (await stateOf(first))?.cosignedSize === newest);
    expect(await stateOf(first)).toMatchObject({ isContradicting: false, problem: null });
  });

  test('witnesses that are no longer named are forgotten', async () => {
    start(0);
    await eventually(async () => (await readWitnessStates(database.db)).length === 2);
    await cosigning.stop();
    await witnesses.pop()?.receiver.close();
    start(0);
    await eventually(async () => (await readWitnessStates(database.db)).length === 1);
  });

  test('when no quorum is asked for any more, the newest checkpoint is published at the start', async () => {
    for (const witness of witnesses) witness.misbehave = () => 'hang up';
    start(2);
    const size = await sign();
    await cosigning.stop();
    expect(await published()).toBe(0);
    start(0);
    await untilPublished(size);
  });
});

async function fakeWitness(name: string): Promise<FakeWitness> {
  const signer = testSigner(name, signatureTypes.cosignature);
  const receiver = await startReceiver();
  const witness: FakeWitness = { ...signer, receiver, size: 0, misbehave: null };
  receiver.react(async (request) => {
    const other = witness.misbehave?.(request);
    if (other) return other;
    const [first = ''] = request.body.split('\n');
    if (first !== `old ${witness.size}`) return { status: 409, body: `${witness.size}\n` };
    const { text } = parseNote(request.body.slice(request.body.indexOf('\n\n') + 2));
    witness.size = Number(text.split('\n')[1]);
    return { status: 200, body: await cosigned(signer, text, 1_800_000_000) };
  });
  return witness;
}

async function cosigned({ key, sign }: TestSigner, text: string, unixSeconds: number): Promise<string> {
  return formatSignature(await cosignNoteText(text, key, unixSeconds, sign));
}
