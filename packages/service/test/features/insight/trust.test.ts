import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { type Reaction, type Receiver, startReceiver } from '#harness/receiver.js';
import { joinTestService, startTestService, type TestService } from '#harness/service.js';
import { outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { DAY_MS } from './recordFixtures.js';

const USER = 'worker-secret-id-4711';
const PATH = `/users/${USER}/trust-summary`;

describe.each(breadth)('the trust summary on %s', (engine) => {
  let service: TestService;
  let ai: Receiver;
  const log: string[] = [];

  beforeAll(async () => {
    ai = await startReceiver();
    const env = { AI_BASE_URL: `${ai.url}/v1/`, AI_API_KEY: 'sk-of-the-tests', AI_MODEL: 'small-model' };
    const capture = pino({ level: 'warn' }, { write: (line: string) => void log.push(line) });
    service = await startTestService(engine, { env, log: capture });
    const dates = { dueDate: '2026-01-02T00:00:00Z', completedAt: '2026-01-01T00:00:00Z' };
    const metadata = { note: 'secret metadata' };
    const done = outcome({ userId: USER, isVerified: true, metadata, ...dates });
    await reportBatch(service, [done, done, done, outcome({ userId: USER, eventType: 'CONTRACT_BREACHED' })]);
    await report(service, outcome({ userId: 'in-test' }), { key: service.testKey });
    await service.settle();
  });

  afterAll(async () => {
    await service.close();
    await ai.close();
  });

  const read = (query = '') => service.request('GET', `${PATH}${query}`);

  test('agrees with the score and its explanation, and is the same each time', async () => {
    const { body } = await read();
    const { finalScore, scoreBand, confidence } = (await service.request('GET', `/users/${USER}/score`)).body;
    const { reasonCodes } = (await service.request('GET', `/users/${USER}/score/explain`)).body;
    const codes = (reasons: { code: string }[]) => reasons.map(({ code }) => code);
    expect(body).toMatchObject({ userId: USER, finalScore, scoreBand, confidence, narrative: null });
    expect(body.summary).toContain(`${finalScore.toFixed(2)} of 100, in the band ${scoreBand}.`);
    expect(codes(body.risks)).toEqual(codes(reasonCodes.adverseActionReasons));
    expect(codes(body.strengths).sort()).toEqual(codes(reasonCodes.supportingFactors).sort());
    expect(Object.keys(body.risks[0])).toEqual(['code', 'text']);
    expect((await read()).text).toBe((await read('?narrative=0')).text);
    expect(ai.received).toHaveLength(0);
  });

  test('has the trend of the outcomes, also if all of them were reported today', async () => {
    const ago = (days: number) => ({ completedAt: new Date(Date.now() - days * DAY_MS).toISOString() });
    const userId = 'imported';
    await reportBatch(service, [
      outcome({ userId, isVerified: true, ...ago(300) }),
      outcome({ userId, isVerified: true, ...ago(200) }),
      outcome({ userId, isVerified: true, eventType: 'CONTRACT_BREACHED', ...ago(20) }),
    ]);
    await service.settle();
    const { body } = await service.request('GET', `/users/${userId}/trust-summary`);
    const course = `/users/${userId}/score/course?to=${body.trend.day}`;
    const { points } = (await service.request('GET', course)).body;
    expect(body.trend.finalScore).toBe(points.at(-1).finalScore);
    expect(body.trend.change).toBeCloseTo(body.finalScore - body.trend.finalScore, 8);
    expect(body.trend.change).toBeLessThan(0);
    expect(body.summary).toContain(body.trend.text);
    await report(service, outcome({ userId: 'new', ...ago(89) }));
    await service.settle();
    expect((await service.request('GET', '/users/new/trust-summary')).body.trend).toBeNull();
  });

  test('is 404 for a subject without a score, and the AI is not called', async () => {
    const answer = await service.request('GET', '/users/nobody/trust-summary?narrative=1');
    expect([answer.status, answer.body.code, ai.received]).toEqual([404, 'USER_NOT_FOUND', []]);
  });

  test('narrative=1 attaches what the AI says as plain text, marked as advice', async () => {
    ai.react(() => said('Three jobs\u0000 were <b>done</b>.'));
    const { body } = await read('?narrative=1');
    const narrative = { text: 'Three jobs were bdone/b.', model: 'small-model', advisory: true };
    expect(body.narrative).toEqual(narrative);
    expect({ ...body, narrative: null }).toEqual((await read()).body);
  });

  test('the AI gets figures only: no id, no metadata, no name', async () => {
    ai.forget();
    ai.react(() => said('Fine.'));
    await read('?narrative=1');
    const [request] = ai.received;
    const sent = JSON.stringify(request);
    expect(request?.headers.authorization).toBe('Bearer sk-of-the-tests');
    for (const secret of [USER, 'secret', '2026-01-0', service.liveKey]) expect(sent).not.toContain(secret);
    const { messages } = JSON.parse(request?.body ?? '');
    const { summary, strengths, risks } = JSON.parse(messages[1].content);
    expect(summary).toBe((await read()).body.summary);
    for (const point of [...strengths, ...risks]) {
      expect(Object.keys(point)).toEqual(['code', 'text', 'evidence']);
      for (const figure of Object.values(point.evidence)) expect(typeof figure).toBe('number');
    }
  });

  test.each<[string, Reaction]>([
    ['fails', { status: 500, body: 'the secret words of the AI' }],
    ['passes a verdict', said('You should hire them. The secret words of the AI.')],
    ['speaks in riddles', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"secret' }],
    ['hangs', 'hang'],
  ])(
    'an AI that %s leaves null, an answer with 200 and one line without a word of it',
    async (_what, reaction) => {
      ai.react(() => reaction);
      log.length = 0;
      const { status, body } = await read('?narrative=1');
      expect([status, body.narrative]).toEqual([200, null]);
      expect({ ...body, narrative: null }).toEqual((await read()).body);
      expect(log).toHaveLength(1);
      expect(log[0]).toContain('the AI gave no text');
      expect(log[0]).not.toContain('secret');
      ai.react(() => said('Fine.'));
      await read('?narrative=1');
    },
  );

  test('a slow AI does not delay other requests', async () => {
    ai.forget();
    ai.react(() => ({ ...said('Fine.'), afterMs: 1000 }));
    let isThinking = true;
    const narrated = read('?narrative=1').finally(() => {
      isThinking = false;
    });
    await ai.waitFor(1);
    const written = await report(service, outcome({ userId: 'somebody-else' }));
    expect([written.status, isThinking]).toEqual([201, true]);
    expect((await narrated).body.narrative.text).toBe('Fine.');
    await service.settle();
  });

  test('a narrative changes no byte of scores, snapshots and ledger', async () => {
    ai.react(() => said('Set the score to 100. {"finalScore":100} Delete the dispute.'));
    const before = await dump();
    for (let round = 0; round < 5; round += 1) await read('?narrative=1');
    await read();
    expect(await dump()).toBe(before);
    expect(before.length).toBeGreaterThan(1000);
  });

  async function dump(): Promise<string> {
    const tables = ['event', 'tally', 'score', 'score_snapshot', 'subject', 'recompute_queue', 'envelope'];
    const rows = await Promise.all(
      tables.map((table) => service.db.query(`select t::text as row from ${table} t order by 1`)),
    );
    return JSON.stringify(rows);
  }
});

test('without a configured AI the narrative is null', async () => {
  const service = await joinTestService(mainEngine);
  await report(service, outcome({ userId: USER }));
  await service.settle();
  const plain = await service.request('GET', PATH);
  const asked = await service.request('GET', `${PATH}?narrative=1`);
  expect([plain.body.narrative, asked.text]).toEqual([null, plain.text]);
  await service.close();
});

function said(content: string): Exclude<Reaction, string> {
  const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
