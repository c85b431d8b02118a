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
  breach,
  certain,
  failing,
  failingSteps,
  HOUR_MS,
  logOf,
  membersOf,
  newLog,
  now,
  options,
  presentProof,
  proofOf,
  scoreProof,
  textOf,
  toBase64Of,
  USER,
  uncheckedSteps,
  unixSeconds,
} from './verifyFixtures.js';

interface Reasons {
  factors: Record<string, number>;
  adverse: string[];
  supporting: string[];
}

describe('a proof of a log that cheats', () => {
  test('by leaving out, repeating, swapping or adding events is not complete', async () => {
    const { proof } = await proofOf(certain, breach, certain);
    const [{ subject, events } = { subject: '', events: [] }] = membersOf(proof);
    const paths = proof.eventProofs as unknown[];
    const order = (...indexes: number[]) => ({
      ...proof,
      members: [{ subject, events: indexes.map((i) => events[i]) }],
      eventProofs: indexes.map((i) => paths[i]),
    });
    expect(await failing(order(0, 1, 2))).toEqual([]);
    for (const indexes of [[0, 2], [0, 1], [1, 2], [], [0, 2, 1], [0, 0, 2], [0, 1, 2, 2]])
      expect(await failing(order(...indexes)), `${indexes}`).toContain('completeness');
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
    const failed = await failing(await scoreProof(memory, index));
    expect(failed).toContain(step);
    expect(failed).not.toContain('snapshot');
  });

  test('by publishing a score of long ago as that of then is found out by the dates', async () => {
    const memory = newLog(certain);
    const publishedBefore = (ms: number) =>
      scoreProof(memory, memory.publish(USER, new Date(certain.createdAt.getTime() - ms)));
    const verification = await verify(await publishedBefore(24 * HOUR_MS), options);
    expect(failingSteps(verification)).toEqual(['score']);
    expect(textOf(verification.steps, 'score')).toContain('before event');
    // Within the skew of clocks.
    expect(await verify(await publishedBefore(4 * 60_000), options)).toMatchObject({ isComplete: true });
  });

  test.each<[string, (memory: MemoryLog) => void]>([
    [
      'counting one event twice, at two positions',
      (memory) => {
        const id = '00000000-0000-7000-8000-0000000000aa';
        for (const event of [certain, certain]) memory.report(USER, { ...event, id });
      },
    ],
    [
      'logging a later event first',
      (memory) => {
        const ordered = newLog(certain, certain);
        for (const { fact, salt } of [ordered.leaf(1), ordered.leaf(0)]) memory.add(fact, salt);
        memory.recount(USER, [1, 0], certain);
      },
    ],
    ...[null, toBase64Of('another')].map((previous): [string, (memory: MemoryLog) => void] => [
      `an event that names ${previous === null ? 'none' : 'another one'} before it`,
      (memory) => {
        memory.report(USER, certain);
        const eventId = '00000000-0000-7000-8000-0000000000bb';
        memory.add({ ...memory.leaf(0).fact, eventId, position: 2, previous });
        memory.recount(USER, [0, 1], certain);
      },
    ]),
  ])('by %s is not complete', async (_, cheat) => {
    const memory = newLog();
    cheat(memory);
    expect(await failing(await presentProof(memory))).toEqual(['completeness']);
  });

  test('by a snapshot that counts fewer events than its chain has is not complete', async () => {
    const { memory, snapshot } = logOf([certain, certain, certain]);
    const { fact } = memory.leaf(snapshot);
    const [counted] = fact.members as unknown as { chain: string }[];
    const members = [{ position: 2, chain: counted?.chain ?? '' }];
    const proof = await scoreProof(memory, memory.add({ ...fact, members }).leafIndex);
    expect(await failing(proof)).toEqual(['completeness']);
  });

  const adverse = 'the adverse reasons LOW_ONTIME_RATE, LOW_COMPLETION_RATE, stated are ';
  test.each<[string, (stated: Reasons) => Partial<Reasons>, string]>([
    [
      'points of a factor',
      ({ factors }) => ({ factors: { ...factors, completion: 1.5 } }),
      'for the factor completion, stated is 1.5',
    ],
    [
      'a factor that the formula does not have',
      ({ factors }) => ({ factors: { ...factors, friendliness: 2 } }),
      'no points for the factor friendliness, stated is 2',
    ],
    ['no points of a factor', () => ({ factors: {} }), 'for the factor gate, stated is no points'],
    ['one adverse reason less', (stated) => ({ adverse: stated.adverse.slice(1) }), adverse],
    ['adverse reasons in another order', (stated) => ({ adverse: stated.adverse.toReversed() }), adverse],
    ['reasons that only read alike', (stated) => ({ adverse: [stated.adverse.join(',')] }), adverse],
    [
      'a supporting reason that the facts do not give',
      ({ supporting }) => ({ supporting: [...supporting, 'STRONG_COMPLETION_RATE'] }),
      'stated are',
    ],
  ])('that states %s is found out by its reasons alone', async (_, change, text) => {
    const { proof } = await proofOf(breach, { ...certain, dueDate: new Date(0) });
    expect(await verify(proof, options)).toMatchObject({ isComplete: true });
    const stated = proof.reasons as Reasons;
    const verification = await verify({ ...proof, reasons: { ...stated, ...change(stated) } }, options);
    expect(failingSteps(verification)).toEqual(['reasons']);
    expect(textOf(verification.steps, 'reasons')).toContain(text);
  });

  test('is explained in German, too, with the same figures', async () => {
    const { memory, snapshot, proof } = await proofOf(certain, breach);
    const changed = { ...proof, userId: 'adam', reasons: { ...(proof.reasons as Reasons), adverse: [] } };
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
    const { reasons: _, ...proof } = (await proofOf(certain)).proof;
    const verification = await verify(proof, options);
    expect(verification).toMatchObject({ ok: true, isComplete: false });
    expect(uncheckedSteps(verification)).toEqual(['reasons']);
    expect(textOf(verification.steps, 'reasons')).toBe('Not checked: the proof states no reasons.');
  });

  test('that passes off the facts of one user as those of another is found out', async () => {
    const { proof } = await proofOf(certain, certain);
    expect(await failing({ ...proof, userId: 'adam' })).toEqual(['subject']);
  });

  test('signed by another key, another log, or not cosigned, is refused', async () => {
    const { proof } = await proofOf(certain);
    const other = testSigner('scores.example/log').key;
    const elsewhere = testSigner('elsewhere.example/log').key;
    const third = testSigner('three.example', signatureTypes.cosignature).key;
    const three = [...options.witnesses, third];
    for (const [changed, findings] of [
      [
        { logKey: other },
        [`checkpoint: The checkpoint is not signed with the key scores.example/log+${other.id}.`],
      ],
      [
        { logKey: elsewhere },
        ['checkpoint: The checkpoint is of the log scores.example/log, the key is of elsewhere.example/log.'],
      ],
      // A log that has changed its key: the former one stays known.
      [{ logKey: [other, options.logKey] }, []],
      [{ witnesses: three }, ['witnesses: 2 of 3 witnesses cosigned the checkpoint, 3 are needed.']],
      [{ witnesses: three, quorum: 2 }, []],
      [{ witnesses: [], quorum: 1 }, ['witnesses: 0 of 0 witnesses cosigned the checkpoint, 1 are needed.']],
    ] as const) {
      const { steps } = await verify(proof, { ...options, ...changed });
      const unproven = steps.filter(({ ok }) => ok !== true).map(({ name, text }) => `${name}: ${text}`);
      expect(unproven).toEqual(findings);
    }
  });

  test('is not called signed where no key was given', async () => {
    const { proof } = await proofOf(certain);
    const verification = await verify(proof, { now });
    expect(verification).toMatchObject({ ok: true, isComplete: false });
    expect(uncheckedSteps(verification)).toEqual(['checkpoint']);
    expect(textOf(verification.steps, 'checkpoint')).toBe(
      'Not checked who signed: no key of the log was given. The checkpoint says that it is of scores.example/log.',
    );
  });
});

describe('a kept checkpoint', () => {
  test('of the same log is its beginning, before or after', async () => {
    const { memory, snapshot, proof: old } = await proofOf(certain);
    const kept = (await memory.checkpoint(unixSeconds)).checkpoint;
    const from = memory.size();
    expect(await historyOf(old, { checkpoint: kept })).toMatchObject({ ok: true });
    memory.report('ana', certain);
    const later = await scoreProof(memory, snapshot);
    const consistency = memory.consistency(from);
    const step = await historyOf(later, { checkpoint: kept, consistency });
    expect(step).toMatchObject({
      ok: true,
      text: `The log of ${from} facts is the beginning of that of ${from + 1}: nothing in it was changed.`,
    });
    expect(await historyOf(old, { checkpoint: String(later.checkpoint), consistency })).toEqual(step);
    expect(await historyOf(later, { checkpoint: kept })).toMatchObject({
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
    const { memory, snapshot, proof } = await proofOf(certain, { ...certain, stakeLevel: 'LOW' });
    const { checkpoint } = await kept.checkpoint(unixSeconds);
    const from = kept.size();
    expect(await historyOf(proof, { checkpoint })).toMatchObject({
      ok: false,
      text: `scores.example/log signed two different logs of ${from} facts. Keep both: they prove it.`,
    });
    memory.report('ana', certain);
    const later = await scoreProof(memory, snapshot);
    expect(await historyOf(later, { checkpoint, consistency: memory.consistency(from) })).toMatchObject({
      ok: false,
      text: expect.stringContaining('facts were changed or removed'),
    });
  });

  test('that the log did not sign, or that is none, is refused', async () => {
    const { proof } = await proofOf(certain);
    const { checkpoint } = await createMemoryLog(testSigner('scores.example/log')).checkpoint(unixSeconds);
    expect(await historyOf(proof, { checkpoint })).toMatchObject({ ok: false });
    expect(await historyOf(proof, { checkpoint: 'nothing' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('The kept checkpoint: The checkpoint cannot be read.'),
    });
  });

  async function historyOf(proof: Answer, kept: KeptFile) {
    const { steps } = await verify(proof, { ...options, kept });
    return steps.find(({ name }) => name === 'history');
  }
});

describe('the age of a checkpoint', () => {
  test('is bounded by a cosignature, else by the newest fact', async () => {
    const { memory, snapshot } = logOf([certain]);
    const later = new Date(now.getTime() + 2 * HOUR_MS);
    const age = async (signedAt: number, changed: object) => {
      const proof = await memory.scoreProof(USER, snapshot, signedAt);
      const { steps } = await verify(proof, { ...options, ...changed });
      return steps.find(({ name }) => name === 'age');
    };
    expect(await age(unixSeconds + 50, {})).toMatchObject({
      ok: true,
      text: "The checkpoint is not older than 2026-06-30T12:00:00.000Z, the date of the newest fact, by the log's own clock.",
    });
    for (const [maxAgeMinutes, ok] of [
      [121, true],
      [119, false],
    ] as const)
      expect(await age(unixSeconds + 50, { now: later, maxAgeMinutes })).toMatchObject({ ok });
    expect(await age(later.getTime() / 1000, { now: later, maxAgeMinutes: 1 })).toMatchObject({
      text: 'The checkpoint is not older than 2026-06-30T14:00:00.000Z, when a witness cosigned it.',
    });
  });
});
