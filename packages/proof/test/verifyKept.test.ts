import { describe, expect, test } from 'vitest';
import { verify } from '../src/index.js';
import { testSigner } from './keys.js';
import { type Answer, createMemoryLog, type MemoryLog, type ReportedEvent } from './memoryLog.js';
import {
  asJson,
  certain,
  failingSteps,
  HOUR_MS,
  log,
  now,
  options,
  textOf,
  uncheckedSteps,
  unixSeconds,
  witnesses,
} from './verifyFixtures.js';

const breach: ReportedEvent = { ...certain, eventType: 'CONTRACT_BREACHED' };
const day = 24 * HOUR_MS;
const ago = (ms: number) => new Date(now.getTime() - ms);

/** The score of a ledger, as a platform keeps it. */
async function kept(memory: MemoryLog, at: Date) {
  const file = asJson(await memory.scoreProof('ana', memory.publish('ana', at), unixSeconds)) as Answer;
  return { checkpoint: String(file.checkpoint), file: JSON.stringify(file), size: memory.size() };
}

async function keptReceipt(memory: MemoryLog, eventId: string) {
  const file = asJson(await memory.receipt(eventId, unixSeconds)) as Answer;
  return { checkpoint: String(file.checkpoint), file: JSON.stringify(file), size: memory.size() };
}

async function presentProof(memory: MemoryLog): Promise<Answer> {
  return asJson(await memory.scoreProof('ana', memory.publish('ana', now), unixSeconds)) as Answer;
}

function compared(proof: Answer, { size, ...file }: Awaited<ReturnType<typeof kept>>, memory: MemoryLog) {
  return verify(JSON.stringify(proof), {
    ...options,
    kept: { ...file, consistency: memory.consistency(size) },
  });
}

describe('a kept proof or receipt', () => {
  test('of the same ledger is the beginning of the present one', async () => {
    const memory = createMemoryLog(log, witnesses);
    const first = memory.report('ana', breach);
    const receipt = asJson(await memory.receipt(first, unixSeconds)) as Answer;
    const before = await kept(memory, now);
    memory.report('ben', certain);
    memory.report('ana', { ...certain, createdAt: now });
    const proof = await presentProof(memory);
    const verification = await compared(proof, before, memory);
    expect(verification).toMatchObject({ isComplete: true });
    expect(textOf(verification.steps, 'kept')).toBe(
      'The events of the kept file are here at the same place with the same data: 1.',
    );
    const file = { checkpoint: String(receipt.checkpoint), file: receipt, size: 1 };
    expect(await compared(proof, { ...file, file: JSON.stringify(receipt) }, memory)).toMatchObject({
      isComplete: true,
    });
  });

  test('shows that the ledger was logged a second time without a breach, though log and proof are sound', async () => {
    const memory = createMemoryLog(log, witnesses);
    for (const event of [certain, breach, certain]) memory.report('ana', event);
    const receipt = asJson(await memory.receipt(String(memory.leaf(1).fact.eventId), unixSeconds)) as Answer;
    const before = await kept(memory, now);
    memory.startAgain('ana');
    for (const event of [certain, certain]) memory.report('ana', event);
    const proof = await presentProof(memory);
    expect(await verify(JSON.stringify(proof), options)).toMatchObject({ isComplete: true });
    const verification = await compared(proof, before, memory);
    expect(failingSteps(verification)).toEqual(['kept']);
    expect(textOf(verification.steps, 'kept')).toContain('at position 1 was leaf 0 in the kept file');
    const file = { checkpoint: String(receipt.checkpoint), file: JSON.stringify(receipt), size: 3 };
    expect(failingSteps(await compared(proof, file, memory))).toEqual(['kept']);
    // One event: a receipt of the second one has no counterpart, but the first was logged after it.
    memory.startAgain('ana');
    memory.report('ana', certain);
    const shorter = await compared(await presentProof(memory), file, memory);
    expect(failingSteps(shorter)).toEqual(['kept']);
  });

  test('shows that an event was logged again at another place, with the same data', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', certain);
    const before = await kept(memory, now);
    const { salt, fact } = memory.leaf(0);
    memory.recount('ana', [memory.add(fact, salt).leafIndex], certain);
    const proof = await presentProof(memory);
    expect(await verify(JSON.stringify(proof), options)).toMatchObject({ isComplete: true });
    expect(failingSteps(await compared(proof, before, memory))).toEqual(['kept']);
  });

  test('of a fork has other data at the same place, also where no consistency was given', async () => {
    const [memory, fork] = [createMemoryLog(log, witnesses), createMemoryLog(log, witnesses)];
    memory.report('ana', certain);
    fork.report('ana', breach);
    const { checkpoint, file } = await kept(fork, now);
    memory.report('ben', certain);
    const proof = await presentProof(memory);
    const verification = await verify(proof, { ...options, kept: { checkpoint, file } });
    expect([failingSteps(verification), uncheckedSteps(verification)]).toEqual([['kept'], ['history']]);
  });

  test('of an event that is missing now shows that those before it were logged after it', async () => {
    const memory = createMemoryLog(log, witnesses);
    const [, , third = ''] = [certain, breach, breach].map((event) => memory.report('ana', event));
    const receipt = await keptReceipt(memory, third);
    memory.startAgain('ana');
    memory.report('ana', certain);
    expect(failingSteps(await compared(await presentProof(memory), receipt, memory))).toEqual(['kept']);
  });

  test('of an event that is missing now shows that the one before it was another', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', certain);
    memory.startAgain('ana');
    memory.report('ana', certain);
    const receipt = await keptReceipt(memory, memory.report('ana', breach));
    memory.recount('ana', [0], certain);
    const proof = await presentProof(memory);
    expect(await verify(JSON.stringify(proof), options)).toMatchObject({ isComplete: true });
    expect(failingSteps(await compared(proof, receipt, memory))).toEqual(['kept']);
  });

  test('whose events are not all counted is said so, and fails where an older proof counted them', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', certain);
    const older = await presentProof(memory);
    const second = memory.report('ana', breach);
    const receipt = asJson(await memory.receipt(second, unixSeconds)) as Answer;
    const of = { checkpoint: String(receipt.checkpoint), file: JSON.stringify(receipt), size: memory.size() };
    const before = await kept(memory, now);
    const frozen = asJson(await memory.scoreProof('ana', 1, unixSeconds)) as Answer;
    const uncounted = await compared(frozen, of, memory);
    expect([failingSteps(uncounted), uncheckedSteps(uncounted)]).toEqual([[], ['kept']]);
    expect(uncheckedSteps(await compared(older, before, memory))).toContain('kept');
    const onlyFirst = memory.leaf(1).fact;
    const back = memory.add({ ...onlyFirst, at: now.toISOString() }).leafIndex;
    const hiding = asJson(await memory.scoreProof('ana', back, unixSeconds)) as Answer;
    expect(failingSteps(await compared(hiding, before, memory))).toEqual(['kept']);
    const other = memory.report('ben', { ...certain, createdAt: now });
    const elsewhere = asJson(await memory.receipt(other, unixSeconds)) as Answer;
    expect(uncheckedSteps(await compared(elsewhere, before, memory))).toEqual(['kept']);
  });

  test('that was changed or cannot be read accuses nobody', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', certain);
    const before = await kept(memory, now);
    const proof = await presentProof(memory);
    const changed = before.file.replace('"isVerified":true', '"isVerified":false');
    expect(textOf((await compared(proof, { ...before, file: changed }, memory)).steps, 'kept')).toBe(
      'The kept file does not lead to its own checkpoint: it was changed.',
    );
    expect(failingSteps(await compared(proof, { ...before, file: '{}' }, memory))).toEqual(['kept']);
  });
});

describe('an event', () => {
  test('that was logged 40 days after it was recorded is named', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.completeUntil(ago(day));
    const id = memory.report('ana', {
      ...certain,
      createdAt: ago(41 * day),
      completedAt: null,
      dueDate: null,
    });
    const proof = await presentProof(memory);
    const receipt = asJson(await memory.receipt(id, unixSeconds));
    for (const file of [proof, receipt]) {
      const verification = await verify(file, options);
      expect(failingSteps(verification)).toEqual(['lateness']);
      expect(textOf(verification.steps, 'lateness')).toBe(
        `Event ${id} was logged 40 days after it was recorded, though the log was up to date in between.`,
      );
    }
  });

  test('that waited in a queue for days is not late', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.completeUntil(ago(3 * day));
    memory.report('ana', { ...certain, createdAt: ago(3 * day - 60_000) });
    memory.report('ana', { ...certain, createdAt: ago(3 * day + 9 * 60_000) });
    expect(await verify(await presentProof(memory), options)).toMatchObject({ isComplete: true });
  });

  test('whose log time goes back behind that of an event before it is found out', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.completeUntil(ago(2 * HOUR_MS));
    memory.report('ana', { ...certain, createdAt: ago(HOUR_MS) });
    memory.completeUntil(ago(3 * HOUR_MS));
    memory.report('ana', { ...certain, createdAt: ago(HOUR_MS) });
    expect(failingSteps(await verify(await presentProof(memory), options))).toEqual(['lateness']);
  });

  test('behind a kept log is late if that log was complete later, whatever it says itself', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.completeUntil(ago(HOUR_MS));
    memory.report('ana', { ...certain, createdAt: ago(HOUR_MS) });
    const before = await kept(memory, now);
    memory.completeUntil(ago(HOUR_MS));
    memory.report('ana', { ...certain, createdAt: ago(day) });
    expect(failingSteps(await compared(await presentProof(memory), before, memory))).toEqual(['lateness']);
  });

  test('behind a kept log is late by that log’s time, also if its own subject shows none', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.completeUntil(ago(HOUR_MS));
    const receipt = await keptReceipt(memory, memory.report('ben', { ...certain, createdAt: ago(HOUR_MS) }));
    memory.completeUntil(ago(day));
    memory.report('ana', { ...certain, createdAt: ago(day) });
    const proof = await presentProof(memory);
    expect(await verify(proof, options)).toMatchObject({ isComplete: true });
    expect(failingSteps(await compared(proof, receipt, memory))).toEqual(['lateness']);
  });

  test.each(['at', 'completeUntil'])('whose %s is no date has no time in the log', async (name) => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', certain);
    const { fact } = memory.leaf(0);
    const eventId = '00000000-0000-7000-8000-0000000000ff';
    memory.add({ ...fact, eventId, [name]: 'long ago' });
    const receipt = await memory.receipt(eventId, unixSeconds);
    expect(failingSteps(await verify(receipt, options))).toContain('lateness');
  });

  test('that is older than a kept checkpoint and not in its log is not explained', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', { ...certain, createdAt: ago(day) });
    const size = memory.size();
    const { checkpoint, cosignatures } = await memory.checkpoint(unixSeconds - 3600);
    const lines = cosignatures.map((line) => `${line}\n`).join('');
    memory.report('ana', { ...certain, createdAt: ago(2 * HOUR_MS) });
    const verification = await verify(await presentProof(memory), {
      ...options,
      kept: { checkpoint: checkpoint + lines, consistency: memory.consistency(size) },
    });
    expect([failingSteps(verification), uncheckedSteps(verification)]).toEqual([[], ['lateness']]);
  });
});

describe('a witness', () => {
  test('is not the log itself, under its own name or another', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('ana', certain);
    const proof = await presentProof(memory);
    const twin = { ...log.key, name: 'honest.example' };
    for (const witness of [log.key, twin]) {
      const verification = await verify(proof, { ...options, witnesses: [witness], quorum: 1 });
      expect(failingSteps(verification)).toEqual(['witnesses']);
      expect(textOf(verification.steps, 'witnesses')).toContain('is the log itself');
    }
    const [one] = options.witnesses;
    if (!one) throw new Error('the fixtures have witnesses');
    const unnamed = await verify(proof, { now, witnesses: [{ ...one, name: log.key.name }], quorum: 1 });
    expect(failingSteps(unnamed)).toEqual(['witnesses']);
    // Its signature is valid, and nobody gave the key of the log to compare.
    const alone = await verify(proof, { now, witnesses: [log.key], quorum: 1 });
    expect(failingSteps(alone)).toEqual(['witnesses']);
  });

  test('counts once, whatever its names are', async () => {
    const one = testSigner('one.example', 0x04);
    const same = { ...one, key: { ...one.key, name: 'other.example' } };
    const memory = createMemoryLog(log, [one, same]);
    memory.report('ana', certain);
    const keys = [one.key, same.key];
    const verification = await verify(await presentProof(memory), { ...options, witnesses: keys });
    expect(textOf(verification.steps, 'witnesses')).toBe(
      '1 of 2 witnesses cosigned the checkpoint, 2 are needed.',
    );
  });
});
