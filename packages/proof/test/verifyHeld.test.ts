import { beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../src/index.js';
import type { Answer } from './memoryLog.js';
import {
  asJson,
  breach,
  certain,
  failing,
  failingSteps,
  newLog,
  now,
  options,
  receiptOf,
  scoreProof,
  textOf,
  USER,
  uncheckedSteps,
} from './verifyFixtures.js';

interface File {
  userId: string;
  outcomes: Answer[];
  scoreProof: Answer | null;
  receipts: Answer[];
}

/** An outcome as the file words it. */
const worded = ({
  at,
  eventId,
  eventType,
  stakeLevel,
  isVerified,
  completedAt,
  dueDate,
}: Answer): Answer => ({
  ...{ eventId, eventType, stakeLevel, isVerified, completedAt, dueDate },
  recordedAt: at,
  confirmedBy: null,
});

describe('everything held about a subject, in one file', () => {
  let file: File;
  let other: Answer;

  beforeAll(async () => {
    const memory = newLog(certain, breach);
    const snapshot = memory.publish(USER, now);
    const later = memory.report(USER, certain);
    const others = memory.report('somebody else', certain);
    const proof = await scoreProof(memory, snapshot);
    const receipt = await receiptOf(memory, later);
    other = await receiptOf(memory, others);
    const [{ events }] = proof.members as [{ events: { fact: Answer }[] }];
    const facts = [...events.map(({ fact }) => fact), receipt.fact as Answer];
    file = { userId: USER, outcomes: facts.map(worded), scoreProof: proof, receipts: [receipt] };
  });

  const changed = (change: (copy: File) => void): string => {
    const copy = asJson(file);
    change(copy);
    return JSON.stringify(copy);
  };

  test('is verified whole: the score, outcomes that it does not count yet, and that none was left out', async () => {
    const verified = await verify(JSON.stringify(file), options);
    expect(verified).toMatchObject({ kind: 'held file', ok: true, isComplete: true });
    expect(textOf(verified.steps, 'outcomes')).toBe('Every outcome in the file is what its fact says: 3.');
  });

  test.each([
    ['another kind', { eventType: 'CONTRACT_BREACHED' }],
    ['a higher stake', { stakeLevel: 'LOW' }],
    ['a confirmation less', { isVerified: false }],
    ['another day', { completedAt: '2026-01-01T00:00:00.000Z' }],
    ['another due date', { dueDate: null }],
    ['another time of report', { recordedAt: '2026-01-01T00:00:00.000Z' }],
  ])('an outcome with %s than its fact fails', async (_, change) => {
    const text = changed(({ outcomes: [first] }) => Object.assign(first as Answer, change));
    expect(await failing(text)).toEqual(['outcomes']);
  });

  test('an outcome that the log holds cannot be left out', async () => {
    expect(await failing(changed(({ outcomes }) => outcomes.splice(1, 1)))).toEqual(['outcomes']);
    expect(await failing(changed(({ outcomes }) => outcomes.pop()))).toEqual(['outcomes']);
  });

  test('an outcome without a receipt is named as unproven, and a second copy of one too', async () => {
    const without = await verify(
      changed(({ receipts }) => receipts.pop()),
      options,
    );
    expect(without.ok).toBe(true);
    expect(uncheckedSteps(without)).toEqual(['outcomes']);
    const twice = await verify(
      changed(({ outcomes }) => outcomes.push(outcomes[0] as Answer)),
      options,
    );
    expect(textOf(twice.steps, 'outcomes')).toBe('Not checked: 1 of 4 outcomes in the file have no receipt.');
  });

  test('outcomes of somebody else are refused, with or without a score', async () => {
    const add = ({ outcomes, receipts }: File) => {
      receipts.push(other);
      outcomes.push(worded(other.fact as Answer));
    };
    expect(await failing(changed(add))).toEqual(['subject']);
    const alone = changed((copy) => {
      Object.assign(copy, { scoreProof: null, outcomes: [], receipts: [] });
      add(copy);
    });
    expect(await failing(alone)).toEqual(['subject']);
    expect(await failing(changed((copy) => Object.assign(copy, { userId: 'somebody else' })))).toEqual([
      'format',
    ]);
  });

  test('a receipt of another event fails', async () => {
    const text = changed(({ receipts: [receipt] }) =>
      Object.assign(receipt as Answer, { eventId: other.eventId }),
    );
    expect(await failing(text)).toEqual(['event']);
  });

  test('a changed proof, receipt or signature fails as it does alone', async () => {
    const resigned = changed(({ receipts: [receipt] }) =>
      Object.assign(receipt as Answer, {
        checkpoint: String(receipt?.checkpoint).replace(/\n\d+\n/, '\n99\n'),
      }),
    );
    expect(await failing(resigned)).toContain('checkpoint');
    const moved = changed(({ receipts: [receipt] }) => Object.assign(receipt as Answer, { leafIndex: 0 }));
    expect(await failing(moved)).toEqual(['events']);
    const better = changed(({ scoreProof: proof }) => {
      Object.assign((proof as { snapshot: { fact: Answer } }).snapshot.fact, { finalScore: 99 });
    });
    expect(await failing(better)).toContain('snapshot');
  });

  test('a file without any proof fails nothing and proves nothing', async () => {
    const bare = await verify(
      changed((copy) => Object.assign(copy, { scoreProof: null, receipts: [] })),
      options,
    );
    expect(bare).toMatchObject({ kind: 'held file', ok: true, isComplete: false });
    expect(uncheckedSteps(bare)).toEqual(['outcomes']);
  });

  test('a kept file of this kind is compared by its proof of the score', async () => {
    const { checkpoint } = file.scoreProof as { checkpoint: string };
    const kept = { checkpoint, file };
    const verified = await verify(file.scoreProof, { ...options, kept });
    expect(failingSteps(verified)).toEqual([]);
    expect(textOf(verified.steps, 'kept')).toMatch(/at the same place with the same data: 2/);
    const bare = { checkpoint, file: { ...file, scoreProof: null } };
    expect(await failing(file.scoreProof, { kept: bare })).toEqual(['kept']);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['a million lists in each other', () => '['.repeat(1e6) + ']'.repeat(1e6), /nested more than 16/],
    ['the name __proto__', (text) => text.replace('{', '{"__proto__":{},'), /the name "__proto__"/],
    ['a name twice', (text) => text.replace('{', '{"userId":"ana",'), /the name "userId" twice/],
    ['no receipts', (text) => text.replace('"receipts"', '"receipt"'), /receipts is not a list/],
    ['outcomes that are none', (text) => text.replace('"outcomes":[', '"outcomes":[7,'), /not an object: 7/],
    [
      'receipts under many checkpoints',
      (text) => {
        const copy: File = JSON.parse(text);
        copy.receipts = Array.from({ length: 11 }, (_, i) => ({ ...copy.receipts[0], checkpoint: `${i}` }));
        return JSON.stringify(copy);
      },
      /11 checkpoints/,
    ],
  ])('%s: the verifier says so and does not throw', async (_, change, reason) => {
    const verified = await verify(change(JSON.stringify(file)), options);
    expect(verified.ok).toBe(false);
    expect(verified.steps.map(({ text }) => text).join('\n')).toMatch(reason);
  });
});
