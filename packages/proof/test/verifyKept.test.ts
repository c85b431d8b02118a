import { describe, expect, test } from 'vitest';
import { verify } from '../src/index.js';
import { testSigner } from './keys.js';
import { type Answer, createMemoryLog, type MemoryLog } from './memoryLog.js';
import {
  breach,
  certain,
  failing,
  failingSteps,
  HOUR_MS,
  log,
  newLog,
  now,
  options,
  presentProof,
  receiptOf,
  scoreProof,
  textOf,
  USER,
  uncheckedSteps,
  unixSeconds,
} from './verifyFixtures.js';

const day = 24 * HOUR_MS;
const ago = (ms: number) => new Date(now.getTime() - ms);

/** A file as a platform keeps it, with the size of its log. */
function kept(memory: MemoryLog, file: Answer, size = memory.size()) {
  return { checkpoint: String(file.checkpoint), file: JSON.stringify(file), size };
}

function compared(memory: MemoryLog, proof: Answer, { size, ...file }: ReturnType<typeof kept>) {
  const consistency = memory.consistency(size);
  return verify(JSON.stringify(proof), { ...options, kept: { ...file, consistency } });
}

/** The failing steps of the present proof, compared with a kept file. */
async function failingAgainst(memory: MemoryLog, file: ReturnType<typeof kept>) {
  return failingSteps(await compared(memory, await presentProof(memory), file));
}

describe('a kept proof or receipt', () => {
  test('of the same ledger is the beginning of the present one', async () => {
    const memory = newLog(breach);
    const receipt = kept(memory, await receiptOf(memory, memory.leaf(0).fact.eventId));
    const before = kept(memory, await presentProof(memory));
    memory.report('ben', certain);
    memory.report(USER, { ...certain, createdAt: now });
    const proof = await presentProof(memory);
    const verification = await compared(memory, proof, before);
    expect(verification).toMatchObject({ isComplete: true });
    expect(textOf(verification.steps, 'kept')).toBe(
      'The events of the kept file are here at the same place with the same data: 1.',
    );
    expect(await compared(memory, proof, receipt)).toMatchObject({ isComplete: true });
  });

  test('shows that the ledger was logged a second time without a breach, though log and proof are sound', async () => {
    const memory = newLog(certain, breach, certain);
    const receipt = kept(memory, await receiptOf(memory, memory.leaf(1).fact.eventId));
    const before = kept(memory, await presentProof(memory));
    memory.startAgain(USER);
    for (const event of [certain, certain]) memory.report(USER, event);
    const proof = await presentProof(memory);
    expect(await verify(JSON.stringify(proof), options)).toMatchObject({ isComplete: true });
    const verification = await compared(memory, proof, before);
    expect(failingSteps(verification)).toEqual(['kept']);
    expect(textOf(verification.steps, 'kept')).toContain('at position 1 was leaf 0 in the kept file');
    expect(failingSteps(await compared(memory, proof, receipt))).toEqual(['kept']);
    // One event: a receipt of the second one has no counterpart, but the first was logged after it.
    memory.startAgain(USER);
    memory.report(USER, certain);
    expect(await failingAgainst(memory, receipt)).toEqual(['kept']);
  });

  test('shows that an event was logged again at another place, with the same data', async () => {
    const memory = newLog(certain);
    const before = kept(memory, await presentProof(memory));
    const { salt, fact } = memory.leaf(0);
    memory.recount(USER, [memory.add(fact, salt).leafIndex], certain);
    expect(await verify(await presentProof(memory), options)).toMatchObject({ isComplete: true });
    expect(await failingAgainst(memory, before)).toEqual(['kept']);
  });

  test('of a fork has other data at the same place, also where no consistency was given', async () => {
    const [memory, fork] = [newLog(certain), newLog(breach)];
    const { checkpoint, file } = kept(fork, await presentProof(fork));
    memory.report('ben', certain);
    const proof = await presentProof(memory);
    const verification = await verify(proof, { ...options, kept: { checkpoint, file } });
    expect([failingSteps(verification), uncheckedSteps(verification)]).toEqual([['kept'], ['history']]);
  });

  test('of an event that is missing now shows that those before it were logged after it', async () => {
    const memory = newLog(certain, breach);
    const receipt = kept(memory, await receiptOf(memory, memory.report(USER, breach)));
    memory.startAgain(USER);
    memory.report(USER, certain);
    expect(await failingAgainst(memory, receipt)).toEqual(['kept']);
  });

  test('of an event that is missing now shows that the one before it was another', async () => {
    const memory = newLog(certain);
    memory.startAgain(USER);
    memory.report(USER, certain);
    const receipt = kept(memory, await receiptOf(memory, memory.report(USER, breach)));
    memory.recount(USER, [0], certain);
    expect(await verify(await presentProof(memory), options)).toMatchObject({ isComplete: true });
    expect(await failingAgainst(memory, receipt)).toEqual(['kept']);
  });

  test('whose events are not all counted is said so, and fails where an older proof counted them', async () => {
    const memory = newLog(certain);
    const older = await presentProof(memory);
    const receipt = kept(memory, await receiptOf(memory, memory.report(USER, breach)));
    const before = kept(memory, await presentProof(memory));
    const uncounted = await compared(memory, await scoreProof(memory, 1), receipt);
    expect([failingSteps(uncounted), uncheckedSteps(uncounted)]).toEqual([[], ['kept']]);
    expect(uncheckedSteps(await compared(memory, older, before))).toContain('kept');
    const back = memory.add({ ...memory.leaf(1).fact, at: now.toISOString() }).leafIndex;
    const hiding = await compared(memory, await scoreProof(memory, back), before);
    expect(failingSteps(hiding)).toEqual(['kept']);
    const other = memory.report('ben', { ...certain, createdAt: now });
    const elsewhere = await compared(memory, await receiptOf(memory, other), before);
    expect(uncheckedSteps(elsewhere)).toEqual(['kept']);
  });

  test('that was changed or cannot be read accuses nobody', async () => {
    const memory = newLog(certain);
    const before = kept(memory, await presentProof(memory));
    const proof = await presentProof(memory);
    const file = before.file.replace('"isVerified":true', '"isVerified":false');
    expect(textOf((await compared(memory, proof, { ...before, file })).steps, 'kept')).toBe(
      'The kept file does not lead to its own checkpoint: it was changed.',
    );
    expect(failingSteps(await compared(memory, proof, { ...before, file: '{}' }))).toEqual(['kept']);
  });
});

describe('an event', () => {
  test('that was logged 40 days after it was recorded is named', async () => {
    const memory = newLog();
    memory.completeUntil(ago(day));
    const late = { ...certain, createdAt: ago(41 * day), completedAt: null, dueDate: null };
    const id = memory.report(USER, late);
    for (const file of [await presentProof(memory), await receiptOf(memory, id)]) {
      const verification = await verify(file, options);
      expect(failingSteps(verification)).toEqual(['lateness']);
      expect(textOf(verification.steps, 'lateness')).toBe(
        `Event ${id} was logged 40 days after it was recorded, though the log was up to date in between.`,
      );
    }
  });

  test('that waited in a queue for days is not late', async () => {
    const memory = newLog();
    memory.completeUntil(ago(3 * day));
    for (const waited of [-60_000, 9 * 60_000])
      memory.report(USER, { ...certain, createdAt: ago(3 * day + waited) });
    expect(await verify(await presentProof(memory), options)).toMatchObject({ isComplete: true });
  });

  test('whose log time goes back behind that of an event before it is found out', async () => {
    const memory = newLog();
    for (const hours of [2, 3]) {
      memory.completeUntil(ago(hours * HOUR_MS));
      memory.report(USER, { ...certain, createdAt: ago(HOUR_MS) });
    }
    expect(await failing(await presentProof(memory))).toEqual(['lateness']);
  });

  test('behind a kept log is late if that log was complete later, whatever it says itself', async () => {
    const memory = newLog();
    memory.completeUntil(ago(HOUR_MS));
    memory.report(USER, { ...certain, createdAt: ago(HOUR_MS) });
    const before = kept(memory, await presentProof(memory));
    memory.completeUntil(ago(HOUR_MS));
    memory.report(USER, { ...certain, createdAt: ago(day) });
    expect(await failingAgainst(memory, before)).toEqual(['lateness']);
  });

  test('behind a kept log is late by that log’s time, also if its own subject shows none', async () => {
    const memory = newLog();
    memory.completeUntil(ago(HOUR_MS));
    const id = memory.report('ben', { ...certain, createdAt: ago(HOUR_MS) });
    const receipt = kept(memory, await receiptOf(memory, id));
    memory.completeUntil(ago(day));
    memory.report(USER, { ...certain, createdAt: ago(day) });
    expect(await verify(await presentProof(memory), options)).toMatchObject({ isComplete: true });
    expect(await failingAgainst(memory, receipt)).toEqual(['lateness']);
  });

  test.each(['at', 'completeUntil'])('whose %s is no date has no time in the log', async (name) => {
    const memory = newLog(certain);
    const eventId = '00000000-0000-7000-8000-0000000000ff';
    memory.add({ ...memory.leaf(0).fact, eventId, [name]: 'long ago' });
    expect(await failing(await memory.receipt(eventId, unixSeconds))).toContain('lateness');
  });

  test('that is older than a kept checkpoint and not in its log is not explained', async () => {
    const memory = newLog({ ...certain, createdAt: ago(day) });
    const size = memory.size();
    const { checkpoint, cosignatures } = await memory.checkpoint(unixSeconds - 3600);
    const signed = [checkpoint, ...cosignatures.map((line) => `${line}\n`)].join('');
    memory.report(USER, { ...certain, createdAt: ago(2 * HOUR_MS) });
    const verification = await verify(await presentProof(memory), {
      ...options,
      kept: { checkpoint: signed, consistency: memory.consistency(size) },
    });
    expect([failingSteps(verification), uncheckedSteps(verification)]).toEqual([[], ['lateness']]);
  });
});

describe('a witness', () => {
  test('is not the log itself, under its own name or another', async () => {
    const proof = await presentProof(newLog(certain));
    for (const witness of [log.key, { ...log.key, name: 'honest.example' }]) {
      const verification = await verify(proof, { ...options, witnesses: [witness], quorum: 1 });
      expect(failingSteps(verification)).toEqual(['witnesses']);
      expect(textOf(verification.steps, 'witnesses')).toContain('is the log itself');
    }
    const [one] = options.witnesses;
    if (!one) throw new Error('the fixtures have witnesses');
    // Also where nobody gave the key of the log to compare, though the second signature is valid.
    for (const witness of [{ ...one, name: log.key.name }, log.key]) {
      const verification = await verify(proof, { now, witnesses: [witness], quorum: 1 });
      expect(failingSteps(verification)).toEqual(['witnesses']);
    }
  });

  test('counts once, whatever its names are', async () => {
    const one = testSigner('one.example', 0x04);
    const same = { ...one, key: { ...one.key, name: 'other.example' } };
    const memory = createMemoryLog(log, [one, same]);
    memory.report(USER, certain);
    const keys = [one.key, same.key];
    const verification = await verify(await presentProof(memory), { ...options, witnesses: keys });
    expect(textOf(verification.steps, 'witnesses')).toBe(
      '1 of 2 witnesses cosigned the checkpoint, 2 are needed.',
    );
  });
});
