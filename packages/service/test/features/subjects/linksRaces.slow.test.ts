import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { engines } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { fulfilled as good } from '../insight/recordFixtures.js';
import { type Alias, alias, ask, figuresOf, link, reportOf, tokenOf, unlink } from './linkFixtures.js';

describe.each(engines)('links at the same moment on %s', (engine) => {
  const logged: string[] = [];
  const tokens: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
  const service = givenService(engine, { log });
  afterAll(async () => expect(await differencesIn(service.db)).toEqual([]));

  test('of concurrent uses of one token, one succeeds', async () => {
    const host = await alias(service, 'one-token', [good]);
    const others = await aliases('one-token', 6);
    const linkToken = await token(host);
    const answers = await Promise.all(others.map((other) => use(other, linkToken)));
    expect(statusesOf(answers)).toEqual([201, 401, 401, 401, 401, 401]);
    await expectEvents(2, host);
  });

  test('one subject that takes several tokens at once is linked once', async () => {
    const joining = await alias(service, 'many-tokens', [good]);
    const hosts = await aliases('many-tokens', 4);
    const linkTokens = await Promise.all(hosts.map(token));
    const answers = await Promise.all(linkTokens.map((linkToken) => use(joining, linkToken)));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    await expectEvents(2, joining);
  });

  test('of two subjects that link each other, one links and the other is linked', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [first, second] = (await aliases(`mutual-${round}`, 2)) as [Alias, Alias];
      const [ofFirst, ofSecond] = [await token(first), await token(second)];
      const answers = await Promise.all([use(first, ofSecond), use(second, ofFirst)]);
      expect(statusesOf(answers)).toEqual([201, 409]);
      await expectEvents(2, first);
      expect(await figuresOf(service, first)).toEqual(await figuresOf(service, second));
    }
  });

  test('subjects that link each other in a ring have consistent records', async () => {
    const ring = await aliases('ring', 5);
    const linkTokens = await Promise.all(ring.map(token));
    const answers = await Promise.all(
      ring.map((member, index) => use(member, linkTokens[(index + 1) % ring.length] ?? '')),
    );
    expect(statusesOf(answers).filter((status) => status !== 201 && status !== 409)).toEqual([]);
    await expectAgreement();
  });

  test('a link while many events arrive on both sides counts each of them once', async () => {
    const [first, second] = (await aliases('busy', 2)) as [Alias, Alias];
    const linkToken = await token(first);
    const twenty = () =>
      Array.from({ length: 20 }, (_, index) => reportOf(service, index % 2 ? first : second, good));
    const [linked] = await Promise.all([use(second, linkToken), ...twenty()]);
    expect(linked.status).toBe(201);
    await expectEvents(22, first, second);
    await Promise.all([unlink(service, first), ...twenty()]);
    await expectEvents(21, first, second);
  });

  test('members that join and leave at the same moment leave a consistent record', async () => {
    const [first, second, third, fourth] = (await aliases('turnover', 4)) as [Alias, Alias, Alias, Alias];
    await link(service, second, first);
    const answers = await Promise.all([
      token(first).then((linkToken) => use(third, linkToken)),
      unlink(service, second),
      token(second).then((linkToken) => use(fourth, linkToken)),
      unlink(service, first),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 404].includes(status))).toEqual(
      [],
    );
    await expectAgreement();
  });

  test('no log contains a token', () => {
    const whole = logged.join('');
    expect(whole).not.toBe('');
    expect(tokens.length).toBeGreaterThan(10);
    expect(tokens.filter((linkToken) => whole.includes(linkToken.slice(4)))).toEqual([]);
    expect(whole).not.toContain('lkt_');
  });

  function aliases(name: string, count: number): Promise<Alias[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) => alias(service, `${name}-${index}`, [good])),
    );
  }

  async function token(host: Alias): Promise<string> {
    const linkToken = await tokenOf(service, host);
    tokens.push(linkToken);
    return linkToken;
  }

  function use(joining: Alias, linkToken: string) {
    return ask(service, joining, 'POST', '/links', { body: { linkToken } });
  }

  async function expectEvents(count: number, ...members: Alias[]): Promise<void> {
    await service.settle();
    const expected = { totalEvents: count, verifiedEvents: count };
    for (const member of members) expect(await figuresOf(service, member)).toMatchObject(expected);
  }

  /** All members of each record have one score, of all its events; nobody is alone in a shared one. */
  async function expectAgreement(): Promise<void> {
    await service.settle();
    const records = await service.db.query(
      `select s.record_id from subject s join score c using (subject_id)
       group by s.record_id
       having count(distinct (c.final_score, c.total_events, c.record_id)) <> 1
         or sum(s.event_count) <> max(c.total_events)
         or (count(*) = 1) <> bool_or(s.subject_id = s.record_id)
         or count(distinct s.platform_id) <> count(*)`,
    );
    expect(records).toEqual([]);
  }
});

function statusesOf(answers: readonly { status: number }[]): number[] {
  return answers.map(({ status }) => status).sort((left, right) => left - right);
}
