import { describe, expect, test } from 'vitest';
import {
  type KeptFile,
  type StepName,
  signatureTypes,
  stepTexts,
  stepTextsDe,
  textOfStep,
  verify,
} from '../src/index.js';
import { testSigner } from './keys.js';
import { type Answer, createMemoryLog, type Fact, type MemoryLog } from './memoryLog.js';
import {
  asJson,
  certain,
  failingSteps,
  HOUR_MS,
  log,
  logOf,
  now,
  options,
  textOf,
  toBase64Of,
  uncheckedSteps,
  unixSeconds,
  witnesses,
} from './verifyFixtures.js';

interface Reasons {
  factors: Record<string, number>;
  adverse: string[];
  supporting: string[];
}

describe('a proof of a log that cheats', () => {
  test('by leaving out, repeating, swapping or adding events is not complete', async () => {
    const { memory, snapshot } = logOf([certain, { ...certain, eventType: 'CONTRACT_BREACHED' }, certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const [{ subject, events: leaves } = { subject: '', events: [] }] = membersOf(proof);
    const paths = proof.eventProofs as unknown[];
    const order = (...indexes: number[]) => ({
      ...proof,
      members: [{ subject, events: indexes.map((i) => leaves[i]) }],
      eventProofs: indexes.map((i) => paths[i]),
    });
    expect(failingSteps(await verify(order(0, 1, 2), options))).toEqual([]);
    for (const indexes of [[0, 2], [0, 1], [1, 2], [], [0, 2, 1], [0, 0, 2], [0, 1, 2, 2]]) {
      const failing = failingSteps(await verify(order(...indexes), options));
      expect(failing, `${indexes}`).toContain('completeness');
    }
  });

  test.each<[string, Fact, StepName]>([
    ['a score that the facts do not give', { finalScore: 99.99 }, 'score'],
    ['another band', { scoreBand: 'Excellent' }, 'score'],
    ['another confidence', { confidence: 0.9999 }, 'score'],
    ['another day', { asOf: '2020-01-01' }, 'score'],
    ['a day that does not exist', { asOf: '2026-02-30' }, 'score'],
    ['another chain', { members: [{ position: 3, chain: toBase64Of('nothing') }] }, 'completeness'],
    ['no subject that counts', { members: [] }, 'completeness'],
    ['another subject', { subject: '00000000-0000-8000-8000-000000000000' }, 'subject'],
    ['another kind', { kind: 'event' }, 'completeness'],
    ['a date in the future', { at: '2026-07-01T12:00:00.000Z' }, 'age'],
    ['a day that is not the one of its date', { at: '2026-06-29T23:59:59.999Z' }, 'score'],
    ['a day in the zone of its date', { at: '2026-06-30T23:59:00.000-05:00' }, 'score'],
  ])('with a snapshot of %s is found out, though it is signed', async (_, change, step) => {
    const { memory, snapshot } = logOf([certain, certain, certain]);
    const index = memory.add({ ...memory.leaf(snapshot).fact, ...change }).leafIndex;
    const verification = await verify(asJson(await memory.scoreProof('zoë/7', index, unixSeconds)), options);
    const failing = failingSteps(verification);
    expect(failing).toContain(step);
    expect(failing).not.toContain('snapshot');
  });

  test('by publishing a score of long ago as that of then is found out by the dates', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('zoë/7', certain);
    const dayBefore = new Date(certain.createdAt.getTime() - 24 * HOUR_MS);
    const backdated = await memory.scoreProof('zoë/7', memory.publish('zoë/7', dayBefore), unixSeconds);
    const verification = await verify(asJson(backdated), options);
    expect(failingSteps(verification)).toEqual(['score']);
    expect(textOf(verification.steps, 'score')).toContain('before event');
    const withinSkew = new Date(certain.createdAt.getTime() - 4 * 60_000);
    const skewed = await memory.scoreProof('zoë/7', memory.publish('zoë/7', withinSkew), unixSeconds);
    expect(await verify(asJson(skewed), options)).toMatchObject({ isComplete: true });
  });

  test('by counting one event twice, at two positions, is not complete', async () => {
    const id = '00000000-0000-7000-8000-0000000000aa';
    const { memory, snapshot } = logOf([
      { ...certain, id },
      { ...certain, id },
    ]);
    const proof = asJson(await memory.scoreProof('zoë/7', snapshot, unixSeconds));
    expect(failingSteps(await verify(proof, options))).toContain('completeness');
  });

  test('by logging a later event first is not complete', async () => {
    const ordered = createMemoryLog(log, witnesses);
    ordered.report('zoë/7', certain);
    ordered.report('zoë/7', certain);
    const [first, second] = [ordered.leaf(0), ordered.leaf(1)];
    const memory = createMemoryLog(log, witnesses);
    memory.add(second.fact, second.salt);
    memory.add(first.fact, first.salt);
    memory.recount('zoë/7', [1, 0], certain);
    const verification = await verify(
      await memory.scoreProof('zoë/7', publish(memory), unixSeconds),
      options,
    );
    expect(textOf(verification.steps, 'completeness')).toContain('position 2');
    expect(failingSteps(verification)).toEqual(['completeness']);
  });

  test('by an event that names another one before it is not complete', async () => {
    const memory = createMemoryLog(log, witnesses);
    memory.report('zoë/7', certain);
    const { fact } = memory.leaf(0);
    const eventId = '00000000-0000-7000-8000-0000000000bb';
    for (const previous of [null, toBase64Of('another')]) {
      const { leafIndex } = memory.add({ ...fact, eventId, position: 2, previous });
      memory.recount('zoë/7', [0, leafIndex], certain);
      const verification = await verify(
        await memory.scoreProof('zoë/7', publish(memory), unixSeconds),
        options,
      );
      expect(failingSteps(verification)).toEqual(['completeness']);
    }
  });

  test('by a snapshot that counts fewer events than its chain has is not complete', async () => {
    const { memory, snapshot } = logOf([certain, certain, certain]);
    const { fact } = memory.leaf(snapshot);
    const [counted] = fact.members as unknown as { chain: string }[];
    const members = [{ position: 2, chain: counted?.chain ?? '' }];
    const index = memory.add({ ...fact, members }).leafIndex;
    const proof = await memory.scoreProof('zoë/7', index, unixSeconds);
    expect(failingSteps(await verify(proof, options))).toEqual(['completeness']);
  });

  test.each<[string, (stated: Reasons) => Reasons, string]>([
    [
      'points of a factor',
      (stated) => ({ ...stated, factors: { ...stated.factors, completion: 1.5 } }),
      'for the factor completion, stated is 1.5',
    ],
    [
      'a factor that the formula does not have',
      (stated) => ({ ...stated, factors: { ...stated.factors, friendliness: 2 } }),
      'no points for the factor friendliness, stated is 2',
    ],
    [
      'no points of a factor',
      (stated) => ({ ...stated, factors: {} }),
      'for the factor gate, stated is no points',
    ],
    [
      'one adverse reason less',
      (stated) => ({ ...stated, adverse: stated.adverse.slice(1) }),
      'the adverse reasons LOW_ONTIME_RATE, LOW_COMPLETION_RATE, stated are ',
    ],
    [
      'adverse reasons in another order',
      (stated) => ({ ...stated, adverse: stated.adverse.toReversed() }),
      'the adverse reasons LOW_ONTIME_RATE, LOW_COMPLETION_RATE, stated are ',
    ],
    [
      'a supporting reason that the facts do not give',
      (stated) => ({ ...stated, supporting: [...stated.supporting, 'STRONG_COMPLETION_RATE'] }),
      'stated are',
    ],
  ])('that states %s is found out by its reasons alone', async (_, change, text) => {
    const { memory, snapshot } = logOf([
      { ...certain, eventType: 'CONTRACT_BREACHED' },
      { ...certain, dueDate: new Date(0) },
    ]);
    const proof = asJson(await memory.scoreProof('zoë/7', snapshot, unixSeconds)) as { reasons: Reasons };
    expect(await verify(proof, options)).toMatchObject({ isComplete: true });
    const verification = await verify({ ...proof, reasons: change(proof.reasons) }, options);
    expect(failingSteps(verification)).toEqual(['reasons']);
    expect(textOf(verification.steps, 'reasons')).toContain(text);
  });

  test('is explained in German, too, with the same figures', async () => {
    const { memory, snapshot } = logOf([certain, { ...certain, eventType: 'CONTRACT_BREACHED' }]);
    const proof = asJson(await memory.scoreProof('zoë/7', snapshot, unixSeconds)) as { reasons: Reasons };
    const changed = { ...proof, userId: 'adam', reasons: { ...proof.reasons, adverse: [] } };
    for (const [given, more] of [
      [proof, {}],
      [changed, { logKey: undefined }],
      [{}, {}],
    ] as const) {
      const { steps } = await verify(given, { ...options, ...more });
      for (const { code, params, text } of steps) {
        expect(textOfStep({ code, params }, stepTexts)).toBe(text);
        const german = textOfStep({ code, params }, stepTextsDe);
        expect(german).not.toBe(text);
        expect(german).toMatch(/^[^\n]{20,}[.…]$/);
        expect(german).not.toMatch(/\b(the|undefined|NaN)\b|\[object/);
      }
    }
    const [score] = (await verify(proof, options)).steps.filter(({ name }) => name === 'score');
    const { finalScore } = memory.leaf(snapshot).fact;
    expect(score && textOfStep(score, stepTextsDe)).toContain(String(finalScore).replace('.', ','));
  });

  test('without reasons says so, and is otherwise verified', async () => {
    const { memory, snapshot } = logOf([certain]);
    const { reasons: _, ...proof } = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const verification = await verify(proof, options);
    expect(verification).toMatchObject({ ok: true, isComplete: false });
    expect(uncheckedSteps(verification)).toEqual(['reasons']);
    expect(textOf(verification.steps, 'reasons')).toBe('Not checked: the proof states no reasons.');
  });

  test('that passes off the facts of one user as those of another is found out', async () => {
    const { memory, snapshot } = logOf([certain, certain]);
    const proof = { ...(await memory.scoreProof('zoë/7', snapshot, unixSeconds)), userId: 'adam' };
    expect(failingSteps(await verify(proof, options))).toEqual(['subject']);
  });

  test('signed by another key, another log, or not cosigned, is refused', async () => {
    const { memory, snapshot } = logOf([certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const other = testSigner('scores.example/log').key;
    const elsewhere = testSigner('elsewhere.example/log').key;
    const third = testSigner('three.example', signatureTypes.cosignature).key;
    const [one, two] = options.witnesses;
    const checks = async (changed: object) => {
      const { steps } = await verify(proof, { ...options, ...changed });
      return steps.filter(({ ok }) => ok !== true).map(({ name, text }) => `${name}: ${text}`);
    };
    expect(await checks({ logKey: other })).toEqual([
      `checkpoint: The checkpoint is not signed with the key scores.example/log+${other.id}.`,
    ]);
    expect(await checks({ logKey: elsewhere })).toEqual([
      'checkpoint: The checkpoint is of the log scores.example/log, the key is of elsewhere.example/log.',
    ]);
    // A log that has changed its key: the former one stays known.
    expect(await checks({ logKey: [other, options.logKey] })).toEqual([]);
    expect(await checks({ witnesses: [one, two, third] })).toEqual([
      'witnesses: 2 of 3 witnesses cosigned the checkpoint, 3 are needed.',
    ]);
    expect(await checks({ witnesses: [one, two, third], quorum: 2 })).toEqual([]);
    expect(await checks({ witnesses: [], quorum: 1 })).toEqual([
      'witnesses: 0 of 0 witnesses cosigned the checkpoint, 1 are needed.',
    ]);
  });

  test('is not called signed where no key was given', async () => {
    const { memory, snapshot } = logOf([certain]);
    const verification = await verify(await memory.scoreProof('zoë/7', snapshot, unixSeconds), { now });
    expect(verification).toMatchObject({ ok: true, isComplete: false });
    expect(verification.steps.filter(({ ok }) => ok === null)).toMatchObject([
      {
        name: 'checkpoint',
        ok: null,
        text: 'Not checked who signed: no key of the log was given. The checkpoint says that it is of scores.example/log.',
      },
    ]);
  });
});

describe('a kept checkpoint', () => {
  test('of the same log is its beginning, before or after', async () => {
    const { memory, snapshot } = logOf([certain]);
    const kept = (await memory.checkpoint(unixSeconds)).checkpoint;
    const old = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const from = memory.size();
    expect(await historyOf(old, { checkpoint: kept })).toMatchObject({ ok: true });
    memory.report('ana', certain);
    const later = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const consistency = memory.consistency(from);
    const step = await historyOf(later, { checkpoint: kept, consistency });
    expect(step).toMatchObject({
      ok: true,
      text: `The log of ${from} facts is the beginning of that of ${from + 1}: nothing in it was changed.`,
    });
    expect(await historyOf(old, { checkpoint: String(later.checkpoint), consistency })).toEqual(step);
    expect(await historyOf(later, { checkpoint: kept })).toMatchObject({
      name: 'history',
      ok: null,
      text: `Not checked: give the answer of GET /log/consistency?from=${from}&to=${from + 1}, too.`,
    });
    for (const wrong of [
      [],
      consistency.slice(1),
      consistency.with(0, toBase64Of('wrong')),
      consistency.with(0, '?'),
    ])
      expect(await historyOf(later, { checkpoint: kept, consistency: wrong })).toMatchObject({ ok: false });
  });

  test('of a log that was changed since, or forked, is not', async () => {
    const { memory: kept } = logOf([certain, certain]);
    const { memory, snapshot } = logOf([certain, { ...certain, stakeLevel: 'LOW' }]);
    const { checkpoint } = await kept.checkpoint(unixSeconds);
    const from = kept.size();
    const forked = await historyOf(await memory.scoreProof('zoë/7', snapshot, unixSeconds), { checkpoint });
    expect(forked).toMatchObject({
      name: 'history',
      ok: false,
      text: `scores.example/log signed two different logs of ${from} facts. Keep both: they prove it.`,
    });
    memory.report('ana', certain);
    const later = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const consistency = memory.consistency(from);
    expect(await historyOf(later, { checkpoint, consistency })).toMatchObject({
      ok: false,
      text: expect.stringContaining('facts were changed or removed'),
    });
  });

  test('that the log did not sign, or that is none, is refused', async () => {
    const { memory, snapshot } = logOf([certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const { checkpoint } = await createMemoryLog(testSigner('scores.example/log')).checkpoint(unixSeconds);
    expect(await historyOf(proof, { checkpoint })).toMatchObject({ ok: false });
    expect(await historyOf(proof, { checkpoint: 'nothing' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('The kept checkpoint: The checkpoint cannot be read.'),
    });
  });

  async function historyOf(proof: Answer, kept: KeptFile) {
    const { steps } = await verify(asJson(proof), { ...options, kept });
    return steps.find(({ name }) => name === 'history');
  }
});

describe('the age of a checkpoint', () => {
  test('is bounded by a cosignature, else by the newest fact', async () => {
    const { memory, snapshot } = logOf([certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds + 50);
    const age = async (changed: object) =>
      (await verify(proof, { ...options, ...changed })).steps.find(({ name }) => name === 'age');
    expect(await age({})).toMatchObject({
      name: 'age',
      ok: true,
      text: "The checkpoint is not older than 2026-06-30T12:00:00.000Z, the date of the newest fact, by the log's own clock.",
    });
    const later = new Date(now.getTime() + 2 * HOUR_MS);
    expect(await age({ now: later, maxAgeMinutes: 121 })).toMatchObject({ ok: true });
    expect(await age({ now: later, maxAgeMinutes: 119 })).toMatchObject({ ok: false });
    const fresh = await memory.scoreProof('zoë/7', snapshot, later.getTime() / 1000);
    const { steps } = await verify(fresh, { ...options, now: later, maxAgeMinutes: 1 });
    expect(textOf(steps, 'age')).toBe(
      'The checkpoint is not older than 2026-06-30T14:00:00.000Z, when a witness cosigned it.',
    );
  });
});

function publish(memory: MemoryLog): number {
  return memory.publish('zoë/7', now);
}

interface Member {
  subject?: string;
  events: unknown[];
}

function membersOf(proof: Answer): Member[] {
  return proof.members as Member[];
}
