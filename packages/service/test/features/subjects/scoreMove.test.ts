import { dayOf, isoFromDay } from '@reliability/scoring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { breached as broken, fulfilled as kept, reportAll } from '../insight/recordFixtures.js';
import { DAY_MS } from '../tenancy/keyFixtures.js';
import { type Alias, alias, ask, figuresOf, freeze, link, reportOf, thaw } from './linkFixtures.js';

interface Outcome {
  eventId: string | null;
  at: string | null;
  confirmedBy: string | null;
  points: number;
}

interface Part {
  kind: string;
  eventType?: string;
  only?: string;
  count: number;
  points: number;
  outcomes: Outcome[];
}

const hundredths = (points: number) => Math.round(points * 100);
const sumOf = (list: readonly { points: number }[]) =>
  list.reduce((sum, { points }) => sum + hundredths(points), 0);

describe.each(breadth)('why a score moved on %s', (engine) => {
  let now = new Date('2026-11-20T12:00:00.000Z');
  let count = 0;
  const service = givenService(engine, {
    env: { VELOCITY_MAX_PER_HOUR: '50' },
    clock: { now: () => now },
  });

  const someone = (events: readonly object[] = []) => alias(service, `move-${++count}`, events);
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const dayAgo = (days: number) => isoFromDay(dayOf(now) - days);
  const passDays = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS);
  };
  const answerOf = (of: Alias, query = '', language = 'en') =>
    ask(service, of, 'GET', `/score/change${query}`, { headers: { 'Accept-Language': language } });
  const sweepDisputes = async () => {
    const { status } = await service.request('POST', '/admin/sweeps/disputes', { admin: true });
    expect(status).toBe(200);
    await service.settle();
  };
  const pointOn = async (of: Alias, day: string) =>
    (await ask(service, of, 'GET', `/score/course?from=${day}&to=${day}`)).body.points[0];

  /** The answer, whose numbers add up and are those of the course. */
  const moveOf = async (of: Alias, query = '', language = 'en') => {
    const { status, body, text } = await answerOf(of, query, language);
    expect([status, text.slice(0, 200)]).toEqual([200, expect.anything()]);
    const parts: Part[] = body.parts;
    expect(hundredths(body.delta)).toBe(hundredths(body.to.finalScore) - hundredths(body.from.finalScore));
    expect(sumOf(parts)).toBe(hundredths(body.delta));
    for (const { kind, outcomes, points, count: all } of parts) {
      if (kind === 'outcomes') expect(sumOf(outcomes)).toBe(hundredths(points));
      else expect([outcomes, all]).toEqual([[], 0]);
    }
    for (const [end, { day, finalScore, scoreBand }] of Object.entries({ from: body.from, to: body.to })) {
      const point = await pointOn(of, day);
      if (point) expect([end, finalScore, scoreBand]).toEqual([end, point.finalScore, point.scoreBand]);
      else expect([body.baseline, finalScore, scoreBand]).toEqual(['blank', 20, 'Unproven']);
    }
    return body;
  };

  /** Forty kept promises, then a late job and four broken contracts, with the names of those who confirmed them. */
  const fallen = async () => {
    const of = await someone();
    const key = of.platform.live.key;
    const old = Array.from({ length: 40 }, (_, index) => ({
      ...kept,
      completedAt: daysAgo(51 + index * 10),
    }));
    await reportAll(service, of.userId, old, key);
    const late = { eventType: 'TRANSACTION_COMPLETED', isVerified: true };
    const verifiedBy = ['Nordlicht', 'City Stadium', 'Gull & Compass', 'Harbour Museum', 'Gull & Compass'];
    const records = verifiedBy.map((by, index) => ({
      who: of.userId,
      what: index === 0 ? late.eventType : broken.eventType,
      by,
      done: daysAgo(50 - index * 9),
      due: daysAgo(60),
    }));
    const mapping = {
      userId: { path: 'who' },
      eventType: { path: 'what' },
      isVerified: { constant: true },
      verifiedBy: { path: 'by' },
      completedAt: { path: 'done' },
      dueDate: { path: 'due' },
    };
    const answer = await service.request('POST', '/ingest', { key, body: { records, mapping } });
    expect([answer.status, answer.body.createdCount]).toEqual([200, 5]);
    await service.settle();
    return { of, ids: answer.body.results.map(({ eventId }: { eventId: string }) => eventId) };
  };

  test('is told in one sentence, with the outcomes and who confirmed them', async () => {
    const { of, ids } = await fallen();
    const move = await moveOf(of);
    expect(move).toMatchObject({ userId: of.userId, baseline: 'record' });
    expect(move.from.day).toBe(dayAgo(51));
    const [breaches, ...others]: Part[] = move.parts;
    expect(breaches).toMatchObject({ kind: 'outcomes', eventType: 'CONTRACT_BREACHED', count: 4 });
    expect(breaches?.outcomes.map(({ eventId }) => eventId).sort()).toEqual(ids.slice(1).sort());
    const stadium = breaches?.outcomes.find(({ eventId }) => eventId === ids[1]);
    expect(stadium).toMatchObject({ at: daysAgo(41), confirmedBy: 'City Stadium' });
    expect(others).toContainEqual(expect.objectContaining({ kind: 'ageing' }));
    expect(move.sentence).toMatch(
      /^Fell from \d\d to \d\d since 30 September: four broken contracts \(City Stadium, Gull & Compass, Harbour Museum\), worth −\d\d; /,
    );
    const german = await moveOf(of, '', 'de-AT, en;q=0.5');
    expect(german.sentence).toMatch(
      /^Seit dem 30\. September von \d\d auf \d\d gefallen: vier gebrochene Abmachungen \(City Stadium, .+\) mit −\d\d; /,
    );
    const { headers } = await answerOf(of, '', 'de');
    expect([headers.get('content-language'), headers.get('vary')]).toEqual([
      'de',
      expect.stringContaining('Accept-Language'),
    ]);
    const [, from, to, said] = /from (\d+) to (\d+) .*?: (.*)$/.exec(move.sentence) ?? [];
    const spoken = [...(said ?? '').matchAll(/([−+])(\d+)/g)];
    const sum = spoken.reduce(
      (total, [, sign, points]) => total + Number(points) * (sign === '−' ? -1 : 1),
      0,
    );
    expect(sum).toBe(Number(to) - Number(from));
    const late = await moveOf(of, `?from=${dayAgo(51)}&to=${dayAgo(49)}`);
    expect(late.parts).toContainEqual(
      expect.objectContaining({ eventType: 'TRANSACTION_COMPLETED', only: 'late', count: 1 }),
    );
    expect(late.sentence).toContain('between 30 September and 2 October: ');
    expect(late.sentence).toContain('one late job (Nordlicht)');
  });

  test('sums, whatever the outcomes and the days, and starts and ends where the course does', async () => {
    const types = [
      'CONTRACT_FULFILLED',
      'CONTRACT_BREACHED',
      'TRANSACTION_COMPLETED',
      'TRANSACTION_CANCELLED',
      'TRANSACTION_DISPUTED',
    ];
    const event = fc.record({
      eventType: fc.constantFrom(...types),
      stakeLevel: fc.constantFrom('LOW', 'MEDIUM', 'HIGH'),
      isVerified: fc.boolean(),
      age: fc.integer({ min: 0, max: 120 }),
      lateness: fc.constantFrom(-2, 3, null),
    });
    const day = fc.integer({ min: 0, max: 130 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 30 }),
        fc.array(event, { maxLength: 5 }),
        day,
        day,
        async (events, others, a, b) => {
          const dated = (list: typeof events) =>
            list.map(({ age, lateness, ...outcome }) => ({
              ...outcome,
              completedAt: daysAgo(age),
              ...(lateness !== null && { dueDate: daysAgo(age + lateness) }),
            }));
          const own = await someone();
          await reportAll(service, own.userId, dated(events), own.platform.live.key);
          if (others.length > 0) {
            const other = await someone();
            await reportAll(service, other.userId, dated(others), other.platform.live.key);
            await link(service, own, other);
            await service.settle();
          }
          await moveOf(own);
          const [from, to] = [Math.max(a, b), Math.min(a, b)];
          const first = Math.max(...[...events, ...others].map(({ age }) => age));
          if (to <= first) await moveOf(own, `?from=${dayAgo(from)}&to=${dayAgo(to)}`);
          passDays(15);
          await sweepDisputes();
          await moveOf(own, `?from=${dayAgo(16)}`);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('is the largest move of the past 90 days, up or down, between two days of the course', async () => {
    const of = await someone();
    const events = [200, 190, 180, 60, 40, 39, 20].map((days, index) => ({
      ...(index === 3 ? broken : kept),
      completedAt: daysAgo(days),
    }));
    await reportAll(service, of.userId, events, of.platform.live.key);
    const { points } = (await ask(service, of, 'GET', `/score/course?from=${dayAgo(90)}`)).body;
    const sizes = points.flatMap((start: { finalScore: number }, index: number) =>
      points.slice(index + 1).map((end: typeof start) => Math.abs(end.finalScore - start.finalScore)),
    );
    const { delta } = await moveOf(of);
    expect(Math.abs(delta)).toBeCloseTo(Math.max(...sizes), 6);
  });

  test('begins at 20 for a record that is new, and is nothing between equal days', async () => {
    const of = await someone([kept, kept]);
    await service.settle();
    const born = await moveOf(of);
    const { finalScore } = await figuresOf(service, of);
    expect(born).toMatchObject({
      baseline: 'blank',
      from: { day: dayAgo(1) },
      to: { day: dayAgo(0), finalScore },
    });
    const [part] = born.parts;
    expect([born.parts.length, part.outcomes.length, part.count]).toEqual([1, 2, 2]);
    expect(born.sentence).toMatch(
      /^Rose from 20, where every record starts, to \d\d since \d+ \w+: two fulfilled contracts \+\d\d\.$/,
    );
    const same = await moveOf(of, `?from=${dayAgo(0)}&to=${dayAgo(0)}`);
    expect(same).toMatchObject({ baseline: 'record', delta: 0, parts: [] });
    expect(same.sentence).toBe(
      `Unchanged at ${finalScore.toFixed(2)} since ${same.sentence.split(' since ')[1]}`,
    );
  });

  test('counts a contested outcome until its dispute has ended, and its end as one outcome', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(3) }]);
    await reportOf(service, of, { eventType: 'TRANSACTION_DISPUTED', completedAt: daysAgo(2) });
    await service.settle();
    passDays(15);
    await sweepDisputes();
    const { parts } = await moveOf(of, `?from=${dayAgo(16)}`);
    const ended = parts.find(({ eventType }: Part) => eventType === 'DISPUTE_RESOLVED_FOR_USER');
    expect([ended.count, ended.points > 0]).toEqual([1, true]);
    const whole = await moveOf(of, `?from=${dayAgo(18)}`);
    const types = whole.parts.map(({ eventType }: Part) => eventType);
    expect(types).toContain('TRANSACTION_DISPUTED');
  });

  test('shows nothing of other platforms but the points of all their outcomes', async () => {
    const own = await someone([{ ...kept, completedAt: daysAgo(30) }]);
    const other = await someone([
      { ...broken, completedAt: daysAgo(10) },
      { ...kept, completedAt: daysAgo(8) },
    ]);
    await link(service, own, other);
    await service.settle();
    const move = await moveOf(own, `?from=${dayAgo(20)}`);
    const [elsewhere] = move.parts.filter(({ kind }: Part) => kind === 'outcomes');
    expect(elsewhere).toEqual({
      kind: 'outcomes',
      count: 2,
      points: expect.any(Number),
      outcomes: [{ eventId: null, at: null, confirmedBy: null, points: elsewhere.points }],
    });
    expect(move.sentence).toContain('two outcomes on other platforms');
    expect(JSON.stringify(move)).not.toContain(other.userId);
  });

  test('lists a hundred outcomes of a part, the largest first, and sums up the others', async () => {
    const of = await someone();
    const events = Array.from({ length: 45 }, () => ({
      ...kept,
      stakeLevel: 'LOW',
      completedAt: daysAgo(5),
    }));
    for (const days of [400, 5, 4]) {
      await reportAll(
        service,
        of.userId,
        events.map((event) => ({ ...event, completedAt: daysAgo(days) })),
        of.platform.live.key,
      );
      now = new Date(now.getTime() + 2 * 3_600_000);
    }
    await reportAll(service, of.userId, events.slice(0, 40), of.platform.live.key);
    const { parts } = await moveOf(of, `?from=${dayAgo(10)}`);
    const [part]: Part[] = parts;
    expect([part?.count, part?.outcomes.length]).toEqual([130, 101]);
    expect(part?.outcomes.at(-1)).toMatchObject({ eventId: null, at: null, confirmedBy: null });
    const sizes = (part?.outcomes ?? []).slice(0, 100).map(({ points }) => Math.abs(points));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  test('names those who confirmed by the name that the platform gave, never by its reference', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(9) }]);
    const key = of.platform.live.key;
    for (const [index, name] of ['Blue Heron Hotel', undefined].entries()) {
      const body = {
        userId: of.userId,
        eventType: 'CONTRACT_BREACHED',
        description: 'Cleaning',
        counterpartyRef: `crm-${index}@example.org`,
        completedAt: daysAgo(4),
        ...(name && { counterpartyName: name }),
      };
      const asked = await service.request('POST', '/confirmations', { key, body });
      expect([asked.status, asked.text]).toEqual([201, expect.anything()]);
      const { confirmation, confirmationToken } = asked.body;
      const path = `/confirmations/${confirmation.id}/respond`;
      const answer = { token: confirmationToken, decision: 'confirm' };
      const answered = await service.request('POST', path, { key: null, body: answer });
      expect([answered.status, answered.text]).toEqual([200, expect.anything()]);
    }
    await service.settle();
    const { parts, sentence } = await moveOf(of, `?from=${dayAgo(5)}`);
    const names = parts[0].outcomes.map(({ confirmedBy }: Outcome) => confirmedBy);
    expect(new Set(names)).toEqual(new Set(['Blue Heron Hotel', null]));
    expect(sentence).toContain('two broken contracts (Blue Heron Hotel …), worth −');
    expect(JSON.stringify(parts)).not.toContain('example.org');
  });

  test('of a frozen score explains what it counts, and nothing that the freeze withholds', async () => {
    const of = await someone([
      { ...kept, completedAt: daysAgo(30) },
      { ...broken, completedAt: daysAgo(6) },
    ]);
    await service.settle();
    const { finalScore } = await figuresOf(service, of);
    await freeze(service, of, { ...broken, completedAt: daysAgo(5) });
    passDays(2);
    const { body } = await answerOf(of, `?from=${dayAgo(20)}`);
    expect(body.to).toMatchObject({ day: dayAgo(0), finalScore });
    expect(sumOf(body.parts)).toBe(hundredths(body.delta));
    expect(body.parts[0]).toMatchObject({ eventType: 'CONTRACT_BREACHED', count: 1 });
    const within = (await answerOf(of, `?from=${dayAgo(1)}`)).body;
    expect(within).toMatchObject({ delta: 0, parts: [], from: { finalScore }, to: { finalScore } });
    await thaw(service, of);
    const [breaches] = (await moveOf(of, `?from=${dayAgo(20)}`)).parts;
    expect(breaches.count).toBe(52);
  });

  test('refuses days in the wrong order, and knows no score before the first outcome', async () => {
    const of = await someone([{ ...kept, completedAt: daysAgo(5) }]);
    await service.settle();
    const answers: [string, number, string, string?][] = [
      ['?from=2026-02-30', 400, 'VALIDATION_ERROR', 'from'],
      ['?to=yesterday', 400, 'VALIDATION_ERROR', 'to'],
      ['?from=2026-01-02&to=2026-01-01', 400, 'VALIDATION_ERROR', 'from'],
      [`?from=${dayAgo(-1)}`, 400, 'VALIDATION_ERROR', 'from'],
      [`?to=${dayAgo(6)}`, 404, 'USER_NOT_FOUND'],
    ];
    for (const [query, status, code, path] of answers) {
      const { body, ...answer } = await answerOf(of, query);
      expect([answer.status, body.code, body.details?.[0]?.path]).toEqual([status, code, path]);
    }
    await moveOf(of, `?from=0001-01-01&to=${dayAgo(-400)}`);
    const nobody = await answerOf({ ...of, userId: 'nobody' });
    expect([nobody.status, nobody.body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });
});
