import { describe, expect, test } from 'vitest';
import { verify } from '../src/index.js';
import {
  asJson,
  breach,
  certain,
  failing,
  failingSteps,
  type Member,
  membersOf,
  newLog,
  now,
  options,
  proofOf,
  scoreProof,
  textOf,
  toBase64Of,
  USER,
  uncheckedSteps,
} from './verifyFixtures.js';

describe('facts of other platforms', () => {
  async function linkedProof() {
    const memory = newLog(certain);
    memory.report('elsewhere', breach);
    for (const userId of [USER, 'elsewhere', 'third']) memory.report(userId, certain);
    const linked = ['elsewhere', 'third', 'without events'];
    const snapshot = memory.publish(USER, now, linked);
    return { memory, proof: await scoreProof(memory, snapshot, linked) };
  }

  test('are proven to be all that the snapshot counts, and the score is said not to be recomputed', async () => {
    const { proof } = await linkedProof();
    const verification = await verify(proof, options);
    expect(failingSteps(verification)).toEqual([]);
    expect(uncheckedSteps(verification)).toEqual(['score', 'reasons']);
    expect(textOf(verification.steps, 'score')).toBe(
      'Not recomputed: 3 of 5 facts are of another platform, so only their commitments are here.',
    );
    expect(textOf(verification.steps, 'completeness')).toContain(
      'Of linked subjects all 3 events that the snapshot counts are here, too.',
    );
  });

  test('cannot be cut out, dropped, doubled, moved to another subject or claimed, and no score is called wrong', async () => {
    const { proof, memory } = await linkedProof();
    const [own, second, third, empty] = membersOf(proof);
    if (!own || !second || !third || !empty) throw new Error('four subjects are counted');
    const paths = new Map<unknown, unknown>();
    for (const event of [own, second, third].flatMap(({ events }) => events))
      paths.set(event, memory.pathOf((event as { leafIndex: number }).leafIndex));
    const [first, last] = second.events;
    const changes: Record<string, Member[]> = {
      'cut out a subject': [own, second, empty],
      'cut out all others': [own],
      'cut out a subject without events': [own, second, third],
      'drop an event': [own, { events: [last] }, third, empty],
      'swap two events': [own, { events: [last, first] }, third, empty],
      'double a subject': [own, second, third, third, empty],
      'double an event': [own, { events: [first, last, last] }, third, empty],
      'move an event': [own, { events: [first] }, { events: [last, ...third.events] }, empty],
      'name a subject': [own, { ...second, subject: 'somebody' }, third, empty],
      'hide the own subject': [{ events: own.events }, second, third, empty],
      'name the own subject twice': [own, { ...empty, subject: own.subject as string }, second, third],
    };
    for (const [name, members] of Object.entries(changes)) {
      const eventProofs = members.flatMap(({ events }) => events).map((event) => paths.get(event));
      const failed = await failing(asJson({ ...proof, members, eventProofs }));
      expect(failed, name).toContain('completeness');
      expect(failed, name).not.toContain('score');
    }
  });

  test('cannot be put in the place of one of two subjects without events', async () => {
    const memory = newLog(certain);
    memory.report('third', certain);
    const snapshot = memory.publish(USER, now, ['without events', 'nor this one']);
    const failingWith = async (...linked: string[]) => failing(await scoreProof(memory, snapshot, linked));
    expect(await failingWith('without events', 'nor this one')).toEqual([]);
    expect(await failingWith('without events', 'third')).toEqual(['completeness']);
  });

  test('have no place in the subject’s own chain', async () => {
    const { memory, proof } = await proofOf(certain, certain, certain);
    const [own] = membersOf(proof);
    const leaves = (own?.events ?? []) as { leafIndex: number }[];
    for (const index of [0, 1, 2]) {
      const leafIndex = leaves[index]?.leafIndex ?? 0;
      const events = leaves.with(index, { leafIndex, d: toBase64Of(memory, leafIndex) } as never);
      const verification = await verify({ ...proof, members: [{ ...own, events }] }, options);
      expect(textOf(verification.steps, 'completeness')).toBe(
        '1 of the subject’s own events are commitments alone.',
      );
      expect(failingSteps(verification)).toEqual(['completeness']);
    }
  });
});
