import { eventTypes, outcomeClassOf, platformTiers, stakeLevels } from '@reliability/scoring';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type StepName, signatureTypes, type Verification, verify } from '../src/index.js';
import { testSigner } from './keys.js';
import {
  type Answer,
  commitmentOf,
  createMemoryLog,
  type Fact,
  type MemoryLog,
  type ReportedEvent,
} from './memoryLog.js';

const log = testSigner('scores.example/log');
const witnesses = ['one', 'two'].map((name) => testSigner(`${name}.example`, signatureTypes.cosignature));
const now = new Date('2026-06-30T12:00:00.000Z');
const unixSeconds = now.getTime() / 1000 - 60;
const options = { logKey: log.key, witnesses: witnesses.map(({ key }) => key), now };
const thorough = inject('isThorough');

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const maybeDate = fc.option(fc.integer({ min: 1, max: 9000 }).map(hoursAgo));
const events: fc.Arbitrary<ReportedEvent> = fc.record({
  eventType: fc.constantFrom(...eventTypes),
  stakeLevel: fc.constantFrom(...stakeLevels),
  platformTier: fc.constantFrom(...platformTiers),
  isVerified: fc.boolean(),
  createdAt: fc.integer({ min: 1, max: 9000 }).map(hoursAgo),
  completedAt: maybeDate,
  dueDate: maybeDate,
});
const certain: ReportedEvent = {
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  platformTier: 'GROWTH',
  isVerified: true,
  createdAt: hoursAgo(30),
  completedAt: hoursAgo(40),
  dueDate: hoursAgo(35),
};

/** A log with several subjects, the first with these events; the ends of disputes close contested events before them. */
function logOf(ledger: readonly ReportedEvent[]): { memory: MemoryLog; snapshot: number } {
  const memory = createMemoryLog(log, witnesses);
  const contested: string[] = [];
  for (const [i, event] of ledger.entries()) {
    memory.report(`other ${i % 3}`, event);
    const closesEventId = event.eventType.startsWith('DISPUTE_RESOLVED') ? contested.pop() : null;
    const id = memory.report('zoë/7', { ...event, closesEventId });
    if (outcomeClassOf(event.eventType) === 'contested') contested.push(id);
  }
  const snapshot = memory.publish('zoë/7', now);
  memory.report('zoë/7', certain);
  memory.add({ kind: 'freeze', at: now.toISOString(), action: 'set' });
  return { memory, snapshot };
}

describe('a proof', () => {
  test('of the score of any ledger is verified in every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { maxLength: 25 }), async (ledger) => {
        const { memory, snapshot } = logOf([...ledger, certain]);
        const proof = asJson(await memory.scoreProof('zoë/7', snapshot, unixSeconds));
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
    const memory = createMemoryLog(log, witnesses);
    const ids = Array.from({ length: 9 }, () => memory.report('zoë/7', certain));
    for (const [i, id] of ids.entries()) {
      const { steps, ...verdict } = await verify(asJson(await memory.receipt(id, unixSeconds)), options);
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
    const { memory, snapshot } = logOf([
      certain,
      contested,
      { ...certain, eventType: 'DISPUTE_RESOLVED_FOR_USER', completedAt: null },
      { ...certain, eventType: 'SKILL_VERIFIED', dueDate: null },
    ]);
    proof = JSON.stringify(await memory.scoreProof('zoë/7', snapshot, unixSeconds));
    receipt = JSON.stringify(await memory.receipt(memory.report('zoë/7', certain), unixSeconds));
  });

  test('anywhere in a score proof, a step fails, and it is one that is about that place', async () => {
    await eachByteChanged(proof, (place, verification) => {
      const failing = failingSteps(verification);
      const expected = expectedSteps(place);
      expect(
        failing.some((name) => expected.includes(name)),
        `${place}: ${failing}`,
      ).toBe(true);
    });
  });

  test('anywhere in a receipt, a step fails, and it is one that is about that place', async () => {
    await eachByteChanged(receipt, (place, verification) => {
      const failing = failingSteps(verification);
      const expected = expectedSteps(place);
      expect(
        failing.some((name) => expected.includes(name)),
        `${place}: ${failing}`,
      ).toBe(true);
    });
  });

  /** Changes each byte (all in the thorough run, every seventh otherwise) and says which field it was in. */
  async function eachByteChanged(json: string, check: (place: string, verification: Verification) => void) {
    const bytes = Buffer.from(json);
    const whole = JSON.parse(json);
    for (let at = thorough ? 0 : 3; at < bytes.length; at += thorough ? 1 : 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] as number) ^ (1 << (at % 6));
      const value = parsed(changed.toString());
      if (value === undefined) continue; // no JSON any more: the caller sees that
      const place = firstDifference(whole, value, '');
      if (place === null) throw new Error(`The change of byte ${at} is none`);
      check(place, await verify(value, options));
    }
  }
});

/** The steps of which one has to fail for a change of this field. */
function expectedSteps(place: string): StepName[] {
  const steps: [RegExp, StepName[]][] = [
    [/^\.userId/, ['format', 'subject']],
    [/^\.eventId/, ['format', 'event']],
    [/^\.snapshot/, ['format', 'snapshot']],
    [/^\.events|^\.eventProofs/, ['format', 'events']],
    [/^\.(leafIndex|salt|fact|proof)/, ['format', 'event']],
    [/^\.checkpoint/, ['format', 'checkpoint']],
    [/^\.cosignatures/, ['format', 'witnesses']],
  ];
  return steps.find(([pattern]) => pattern.test(place))?.[1] ?? ['format'];
}

describe('a proof of a log that cheats', () => {
  test('by leaving out, repeating, swapping or adding events is not complete', async () => {
    const { memory, snapshot } = logOf([certain, { ...certain, eventType: 'CONTRACT_BREACHED' }, certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const leaves = proof.events as unknown[];
    const paths = proof.eventProofs as unknown[];
    const order = (...indexes: number[]) => ({
      ...proof,
      events: indexes.map((i) => leaves[i]),
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
    ['a position without the events behind it', { position: 2 }, 'completeness'],
    ['another head', { head: toBase64Of('nothing') }, 'completeness'],
    ['no head', { head: null }, 'completeness'],
    ['another subject', { subject: '00000000-0000-8000-8000-000000000000' }, 'subject'],
    ['another kind', { kind: 'event' }, 'completeness'],
    ['a date in the future', { at: '2026-07-01T12:00:00.000Z' }, 'age'],
  ])('with a snapshot of %s is found out, though it is signed', async (_, change, step) => {
    const { memory, snapshot } = logOf([certain, certain, certain]);
    const index = memory.add({ ...memory.leaf(snapshot).fact, ...change }).leafIndex;
    const verification = await verify(asJson(await memory.scoreProof('zoë/7', index, unixSeconds)), options);
    const failing = failingSteps(verification);
    expect(failing).toContain(step);
    expect(failing).not.toContain('snapshot');
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
    expect(verification.steps.filter(({ ok }) => ok === null)).toEqual([
      {
        name: 'checkpoint',
        ok: null,
        text: 'Not checked who signed: no key of the log was given. The checkpoint says that it is of scores.example/log.',
      },
    ]);
  });
});

describe('facts of other platforms', () => {
  test('are proven to be in the log, and the score is said not to be recomputed', async () => {
    const { memory, snapshot } = logOf([certain, certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const foreign = { leafIndex: 0, d: toBase64Of(memory, 0) };
    const linked = {
      ...proof,
      events: [...(proof.events as unknown[]), foreign],
      eventProofs: [...(proof.eventProofs as unknown[]), memory.pathOf(0)],
    };
    const { ok, isComplete, steps } = await verify(asJson(linked), options);
    expect([ok, isComplete]).toEqual([true, false]);
    expect(textOf(steps, 'score')).toBe(
      'Not recomputed: 1 of 3 facts are of another platform, so only their commitments are here.',
    );
    expect(textOf(steps, 'completeness')).toContain('1 events are here as commitments, and nothing shows');
    const wrong = { ...linked, events: [...(proof.events as unknown[]), { ...foreign, leafIndex: 1 }] };
    expect(failingSteps(await verify(asJson(wrong), options))).toContain('events');
    const twice = { ...linked, events: [...(proof.events as unknown[]), foreign, foreign] };
    const paths = [...linked.eventProofs, memory.pathOf(0)];
    expect(failingSteps(await verify(asJson({ ...twice, eventProofs: paths }), options))).toContain('events');
  });

  test('within the chain still link what is after them', async () => {
    const { memory, snapshot } = logOf([certain, certain, certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds);
    const leaves = proof.events as { leafIndex: number }[];
    const hide = (index: number, other = leaves[index]?.leafIndex as number) => ({
      ...proof,
      events: leaves.with(index, { leafIndex: other, d: toBase64Of(memory, other) } as never),
      eventProofs: (proof.eventProofs as unknown[]).with(index, memory.pathOf(other)),
    });
    expect(failingSteps(await verify(hide(1), options))).toEqual([]);
    expect(failingSteps(await verify(hide(1, 0), options))).toEqual(['completeness']);
    expect(failingSteps(await verify(hide(2, 0), options))).toEqual(['completeness']);
  });
});

describe('the age of a checkpoint', () => {
  test('is bounded by a cosignature, else by the newest fact', async () => {
    const { memory, snapshot } = logOf([certain]);
    const proof = await memory.scoreProof('zoë/7', snapshot, unixSeconds + 50);
    const age = async (changed: object) =>
      (await verify(proof, { ...options, ...changed })).steps.find(({ name }) => name === 'age');
    expect(await age({})).toEqual({
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

describe('what is no proof', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'the proof is not an object: missing'],
    ['a list', [], 'the proof is not an object: []'],
    ['an error of the service', { error: { code: 'NOT_LOGGED_YET' } }, 'eventId is not a text: missing'],
    ['no snapshot', { snapshot: null }, 'snapshot is not an object: null'],
  ])('such as %s, is refused in words', async (_, value, text) => {
    const { kind, ok, steps } = await verify(value, options);
    expect({ kind, ok }).toEqual({ kind: null, ok: false });
    expect(steps).toEqual([
      { name: 'format', ok: false, text: `This is no receipt and no score proof. ${text}.` },
    ]);
  });

  test('with any field missing or of another type names the field', async () => {
    const { memory, snapshot } = logOf([certain, certain]);
    const proof = asJson(await memory.scoreProof('zoë/7', snapshot, unixSeconds)) as Answer;
    const values = [undefined, null, 7.5, -1, 'text', true, [], {}, [[]], 'AAA', '\ud800'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pathsOf(proof)),
        fc.constantFrom(...values),
        async (path, value) => {
          const changed = structuredClone(proof);
          const holder = path.slice(0, -1).reduce((at, key) => at[key] as Answer, changed);
          if (JSON.stringify(holder[path.at(-1) as string]) === JSON.stringify(value)) return;
          holder[path.at(-1) as string] = value;
          expect((await verify(changed, options)).isComplete, path.join('.')).toBe(false);
        },
      ),
      { numRuns: thorough ? 3000 : 300 },
    );
  });
});

function toBase64Of(memory: MemoryLog | string, index = 0): string {
  if (typeof memory === 'string') return Buffer.alloc(32, memory).toString('base64');
  return Buffer.from(commitmentOf(memory.leaf(index))).toString('base64');
}

function failingSteps({ steps }: Verification): StepName[] {
  return steps.filter(({ ok }) => ok === false).map(({ name }) => name);
}

function textOf(steps: Verification['steps'], name: StepName): string | undefined {
  return steps.find((step) => step.name === name)?.text;
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

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

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, own]) => [
    [key],
    ...pathsOf(own).map((path) => [key, ...path]),
  ]);
}
