import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type StepName, verify } from '../src/index.js';
import type { Answer, ReportedEvent } from './memoryLog.js';
import {
  certain,
  events,
  failingSteps,
  newLog,
  options,
  proofOf,
  receiptOf,
  textOf,
  USER,
  uncheckedSteps,
} from './verifyFixtures.js';

const thorough = inject('isThorough');

describe('a proof', () => {
  test('of the score of any ledger is verified in every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { maxLength: 25 }), async (ledger) => {
        const { memory, snapshot, proof } = await proofOf(...ledger, certain);
        const { steps, ...verdict } = await verify(proof, options);
        expect(steps.filter(({ ok }) => ok !== true)).toEqual([]);
        expect(verdict).toEqual({ kind: 'score proof', ok: true, isComplete: true });
        const figures = memory.leaf(snapshot).fact;
        expect(textOf(steps, 'score')).toContain(`${figures.finalScore} (${figures.scoreBand})`);
        expect(textOf(steps, 'completeness')).toContain(`from position 1 to ${ledger.length + 1} are here`);
      }),
      { numRuns: thorough ? 300 : 30 },
    );
  });

  test('of an event is verified, and names the index of its leaf', async () => {
    const memory = newLog(...Array(9).fill(certain));
    for (let i = 0; i < 9; i += 1) {
      const receipt = await receiptOf(memory, memory.leaf(i).fact.eventId);
      const { steps, ...verdict } = await verify(receipt, options);
      expect(verdict).toEqual({ kind: 'receipt', ok: true, isComplete: true });
      expect(textOf(steps, 'event')).toBe(`The log holds the event at index ${i}.`);
      expect(textOf(steps, 'checkpoint')).toBe(
        'scores.example/log signed the checkpoint of its first 9 facts.',
      );
    }
  });
});

describe('with one byte changed', () => {
  let proof: string;
  let receipt: string;

  beforeAll(async () => {
    const contested: ReportedEvent = { ...certain, eventType: 'TRANSACTION_DISPUTED', isVerified: false };
    const { memory, ...shown } = await proofOf(
      certain,
      contested,
      { ...certain, eventType: 'DISPUTE_RESOLVED_FOR_USER', completedAt: null },
      { ...certain, eventType: 'SKILL_VERIFIED', dueDate: null },
    );
    proof = JSON.stringify(shown.proof);
    receipt = JSON.stringify(await receiptOf(memory, memory.report(USER, certain)));
  });

  test.each([
    ['a score proof', () => proof],
    ['a receipt', () => receipt],
  ])('anywhere in %s, a step fails, and it is one that is about that place', async (_, fileOf) => {
    const bytes = Buffer.from(fileOf());
    const whole = JSON.parse(fileOf());
    // Each byte in the thorough run, every seventh otherwise.
    for (let at = thorough ? 0 : 3; at < bytes.length; at += thorough ? 1 : 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] as number) ^ (1 << (at % 6));
      const value = parsed(changed.toString());
      if (value === undefined) continue; // no JSON any more: the caller sees that
      const place = firstDifference(whole, value, '');
      if (place === null) throw new Error(`The change of byte ${at} is none`);
      const verification = await verify(value, options);
      // Under another name nobody finds the reasons: a proof without them is not complete.
      const failing = place === '.reasons' ? uncheckedSteps(verification) : failingSteps(verification);
      const isNamed = failing.some((name) => expectedSteps(place).includes(name));
      expect(isNamed, `${place}: ${failing}`).toBe(true);
    }
  });
});

/** The steps of which one has to fail for a change of this field. */
function expectedSteps(place: string): StepName[] {
  const steps: [RegExp, StepName[]][] = [
    [/^\.userId/, ['format', 'subject']],
    [/^\.eventId/, ['format', 'event']],
    [/^\.snapshot/, ['format', 'snapshot']],
    [/^\.reasons/, ['format', 'reasons']],
    [/^\.members\.\d+\.subject/, ['format', 'completeness']],
    [/^\.members|^\.eventProofs/, ['format', 'events', 'completeness']],
    [/^\.(leafIndex|salt|fact|proof)/, ['format', 'event']],
    [/^\.checkpoint/, ['format', 'checkpoint']],
    [/^\.cosignatures/, ['format', 'witnesses']],
  ];
  return steps.find(([pattern]) => pattern.test(place))?.[1] ?? ['format'];
}

describe('what is no proof', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'the proof is not an object: missing'],
    ['a list', [], 'the proof is not an object: []'],
    ['an error of the service', { error: { code: 'NOT_LOGGED_YET' } }, 'eventId is not a text: missing'],
    ['no snapshot', { snapshot: null }, 'snapshot is not an object: null'],
  ])('such as %s, is refused in words', async (_, value, text) => {
    const { kind, ok, steps } = await verify(value, options);
    expect({ kind, ok }).toEqual({ kind: null, ok: false });
    expect(steps).toMatchObject([
      { name: 'format', ok: false, text: `This is no receipt and no score proof. ${text}.` },
    ]);
  });
});

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The path of the first value that differs. Null: none. */
function firstDifference(a: unknown, b: unknown, path: string): string | null {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Object.is(a, b) ? null : path;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference((a as Answer)[key], (b as Answer)[key], `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
