import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@reliability/client';
import { dayOf, foldTallies, type Score, score, scoreBands } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../service/test/harness/freePort.js';
import { startReceiver } from '../../service/test/harness/receiver.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';
import { makeBook, type Outcome } from '../src/demo/book.js';
import { demoPeople, demoPlatforms, demoStory } from '../src/demo/data.js';
import { runCli, startCli } from './runCli.js';

const TODAY = new Date('2026-05-04T00:00:00.000Z');
const DAY_MS = 86_400_000;

describe('the data of the demo', () => {
  const books = demoPlatforms.map((plan) => ({ plan, book: makeBook(plan, TODAY) }));

  test('is the same in every run of a day, and lies in the past year', () => {
    for (const { plan, book } of books) {
      expect(makeBook(plan, TODAY)).toEqual(book);
      expect(new Set(book.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(book.length);
      const moments = book.flatMap(({ dueDate, completedAt = dueDate }) => [dueDate, completedAt]).sort();
      expect(Date.parse(moments.at(-1) ?? '')).toBeLessThan(TODAY.getTime());
      expect((TODAY.getTime() - Date.parse(moments[0] ?? '')) / DAY_MS).toBeCloseTo(371.5, 0);
    }
  });

  test('names everybody once, and its story knows them', () => {
    const people = Object.values(demoPeople).flat();
    expect(people.every(({ userId, name }) => /^[a-z0-9-]+$/.test(userId) && name !== '')).toBe(true);
    // One is on both platforms.
    expect(new Set(people.map(({ name }) => name)).size).toBe(people.length - 1);
    const told = JSON.stringify(demoStory).matchAll(/"userId":"([^"]+)"/g);
    const known = new Set(people.map(({ userId }) => userId));
    for (const [, userId = ''] of told) expect(known, userId).toContain(userId);
  });

  test('shows every band, and a score that fell by four broken contracts', () => {
    const bands = books.flatMap(({ plan: { key }, book }) =>
      (demoPeople[key] ?? []).map(({ userId }) => scoreOf(book, userId, TODAY).scoreBand),
    );
    expect(new Set(bands)).toEqual(new Set(scoreBands));
    const [harbor = []] = books.map(({ book }) => book);
    const before = scoreOf(harbor, 'yuki-tanaka', new Date(TODAY.getTime() - 60 * DAY_MS));
    expect(before.finalScore - scoreOf(harbor, 'yuki-tanaka', TODAY).finalScore).toBeGreaterThan(25);
  });
});

/** As if everything had been reported by one platform of the highest tier. */
function scoreOf(book: readonly Outcome[], userId: string, at: Date): Score {
  const own = book.filter(
    (outcome) => outcome.userId === userId && Date.parse(outcome.dueDate) < at.getTime(),
  );
  const facts = own.map((outcome) => ({
    ...outcome,
    platformTier: 'ENTERPRISE' as const,
    createdAt: at,
    dueDate: new Date(outcome.dueDate),
    completedAt: outcome.completedAt === undefined ? null : new Date(outcome.completedAt),
  }));
  const result = score(foldTallies(facts), dayOf(at));
  if (!result) throw new Error(`${userId} has no outcome`);
  return result;
}

describe('reliability demo', () => {
  let folder: string;
  let data: string;
  let port: string;
  let running: ChildProcess;
  let output = '';
  let harbor: ReturnType<typeof createClient>;
  let fixit: typeof harbor;
  let operator: typeof harbor;
  let keys: Record<string, string>;
  // A demo never uses the database of the real service.
  const real = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/real', DATA_DIR: '/nowhere' };

  function start(): ChildProcess {
    const child = startCli(['demo', '--data', data], { env: { ...real, PORT: port, BASE_URL: BASE } });
    output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    return child;
  }

  /** Waits until it has printed a text. */
  function said(child: ChildProcess, text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      child.stdout?.on('data', () => output.includes(text) && resolve());
      child.once('close', () => reject(new Error(`the demo ended: ${output}`)));
    });
  }

  const BASE = 'https://demo.example';
  const ended = (child: ChildProcess) => new Promise((resolve) => child.once('close', resolve));

  beforeAll(async () => {
    folder = scratchFolder('reliability-demo-');
    data = join(folder, 'demo');
    port = String(await freePort());
    const interrupted = start();
    await said(interrupted, '30 %');
    const isOver = ended(interrupted);
    interrupted.kill('SIGKILL');
    await isOver;
    running = start();
    await said(running, 'until you press Ctrl-C');
    ({ keys } = JSON.parse(readFileSync(join(data, 'data/demo.json'), 'utf8')));
    const baseUrl = `http://localhost:${port}`;
    harbor = createClient({ baseUrl, key: keys.harbor });
    fixit = createClient({ baseUrl, key: keys.fixit });
    const adminSecret = readFileSync(join(data, 'data/admin-secret'), 'utf8').trim();
    operator = createClient({ baseUrl, adminSecret });
  });
  afterAll(() => {
    running?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('begins again after an interruption, with the settings of `start`, and says so', () => {
    expect(output).toContain('interrupted while it made the demo');
    expect(output).toContain('DATABASE_URL is not used');
    expect(output).toContain(`The demo runs at ${BASE} until you press Ctrl-C.`);
    expect(output).toContain(`${BASE}/console#sign-in=${keys.harbor}`);
    expect(readdirSync(data)).not.toContain('making');
    expect(readFileSync(join(data, 'data/report.html'), 'utf8')).toContain('<!doctype html>');
  });

  test('has people on record for a year, with a score that was published all along', async () => {
    const { users } = await harbor.listUsers({ q: 'yuki', limit: 1 });
    const ageDays = (Date.now() - Date.parse(users[0]?.registeredAt ?? '')) / DAY_MS;
    expect(ageDays).toBeGreaterThan(364);
    expect(ageDays).toBeLessThan(374);
    const months = new Set<string>();
    for await (const { computedAt } of harbor.listScoreHistory.each('yuki-tanaka', { limit: 100 }))
      months.add(computedAt.slice(0, 7));
    expect(months.size).toBeGreaterThanOrEqual(13);
    const { points } = await harbor.readScoreCourse('yuki-tanaka', {
      by: 'recorded',
      step: 'week',
      limit: 100,
    });
    const scores = points.map(({ finalScore }) => finalScore ?? 0);
    expect(Math.max(...scores) - (scores.at(-1) ?? 0)).toBeGreaterThan(25);
    const { daily } = await harbor.readScoreAnalytics({ days: 30 });
    expect(daily.filter(({ recomputes }) => recomputes > 0).length).toBeGreaterThan(27);
  });

  test('has what a year of use leaves behind', async () => {
    const statuses = async (rows: AsyncIterable<{ status: string }>) => {
      const found = new Set<string>();
      for await (const { status } of rows) found.add(status);
      return [...found].sort();
    };
    expect(await statuses(harbor.listDisputes.each({ limit: 100 }))).toEqual([
      'OPEN',
      'RESOLVED_AGAINST_USER',
      'RESOLVED_FOR_USER',
    ]);
    expect(await statuses(harbor.listConfirmations.each({ limit: 100 }))).toEqual([
      'CONFIRMED',
      'DECLINED',
      'EXPIRED',
      'PENDING',
    ]);
    expect(await statuses(harbor.listReviews.each())).toEqual(['ANSWERED', 'OPEN']);
    const { reviews: open } = await harbor.listReviews({ status: 'OPEN' });
    const left = Date.parse(open[0]?.respondBy ?? '') - Date.now();
    expect(left / DAY_MS).toBeGreaterThan(0);
    expect(left / DAY_MS).toBeLessThan(2);
    const { campaigns } = await harbor.listCampaigns();
    expect(campaigns).toHaveLength(1);
    expect(await statuses(harbor.listReferences.each())).toEqual(['CONFIRMED', 'PENDING']);
    const { monitors } = await harbor.listMonitors({ userId: 'yuki-tanaka' });
    expect(monitors[0]?.lastTriggeredAt).not.toBeNull();
    const { imports } = await fixit.listImports({ limit: 100 });
    expect(imports.filter(({ status }) => status === 'COMPLETED').length).toBeGreaterThan(24);
    expect(imports.filter(({ failedCount }) => failedCount > 0)).toHaveLength(1);
    expect((await harbor.score('marco-bianchi')).frozen).toBe(true);
    await expect(harbor.score('dmitri-orlov')).rejects.toMatchObject({ code: 'SUBJECT_ERASED' });
    expect((await harbor.listContributingPlatforms('samira-haddad')).platforms).toHaveLength(2);
    const { backtests } = await harbor.listBacktests();
    expect(backtests[0]?.status).toBe('COMPLETED');
    expect((await harbor.readRisk('ada-okafor')).level).toBe('none');
  });

  test('delivers its webhooks, but to one endpoint that fails', async () => {
    const { webhooks } = await harbor.listWebhooks();
    const of = async (description: string) => {
      const { id = '' } = webhooks.find((webhook) => webhook.description === description) ?? {};
      return harbor.listDeliveries(id, { limit: 100 });
    };
    const [good, bad] = [await of('Roster app'), await of('CRM')];
    expect(good.deliveries.length).toBeGreaterThan(20);
    expect(new Set(good.deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(bad.deliveries[0]?.responseStatus).toBe(503);
    expect(Math.max(...bad.deliveries.map(({ attempt }) => attempt))).toBeGreaterThan(3);
    expect(webhooks.every(({ isActive }) => isActive)).toBe(true);
  });

  test('prints pages that open and commands that work', async () => {
    const pages = [...output.matchAll(/^ {4}(https\S+)$/gm)].map(([, url = '']) => url);
    expect(pages.length).toBeGreaterThanOrEqual(5);
    expect(pages).toContainEqual(expect.stringContaining('/record/rl_'));
    const here = (url: string) => url.replace(BASE, `http://localhost:${port}`);
    for (const url of pages) expect((await fetch(here(url))).status, url).toBe(200);
    const reads = [...output.matchAll(/curl -sS '([^']+)' -H 'Authorization: (Bearer [^']+)'$/gm)];
    expect(reads.length).toBeGreaterThanOrEqual(5);
    for (const [, url = '', authorization = ''] of reads)
      expect((await fetch(here(url), { headers: { authorization } })).status, url).toBe(200);
  });

  test('is shown by a second start, which changes nothing', async () => {
    const state = async () => {
      const { platforms } = await operator.adminListPlatforms({ limit: 100 });
      const held = await Promise.all(
        platforms.map(async ({ id }) => (await operator.adminListKeys(id)).keys.map((key) => key.id)),
      );
      const { total } = await harbor.readEventAnalytics({ days: 365 });
      return { names: platforms.map(({ name }) => name).sort(), held, total };
    };
    const before = await state();
    expect(before.names).toEqual(['Fixit Homes', 'Harbor Shifts']);
    const beside = await runCli(['demo', '--data', data, '--port', port]);
    expect(beside).toMatchObject({ code: 0, output: expect.stringContaining('running already') });
    const elsewhere = await runCli(['demo', '--data', data, '--port', String(await freePort())]);
    expect(elsewhere).toMatchObject({ code: 1, errors: expect.stringMatching(/in use by process \d+/) });
    const isOver = ended(running);
    running.kill('SIGINT');
    expect(await isOver).toBe(0);
    running = start();
    await said(running, 'until you press Ctrl-C');
    expect(output).toContain('Nothing was changed.');
    expect(await state()).toEqual(before);
  });

  // The last one: it stops the demo.
  test('has a ledger and a log that an audit finds in order', async () => {
    const proof = join(folder, 'proof.json');
    writeFileSync(proof, JSON.stringify(await harbor.readScoreProof('yuki-tanaka')));
    const { vkey } = await harbor.readLogIdentity();
    const isOver = ended(running);
    running.kill('SIGINT');
    await isOver;
    expect(await runCli(['verify', proof, '--key', vkey])).toMatchObject({ code: 0 });
    const program = join(import.meta.dirname, '../dist/reliability.js');
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(data, 'data'), BASE_URL: BASE };
    const audit = execFileSync(process.execPath, [program, 'audit-ledger', '--json'], {
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(JSON.parse(audit)).toMatchObject({ differences: 0 });
    expect(existsSync(join(folder, 'real'))).toBe(false);
  });
});

test('the demo refuses a folder with other files, and a port of another service', async () => {
  const folder = scratchFolder('reliability-demo-');
  mkdirSync(join(folder, 'database'));
  expect(await runCli(['demo', '--data', folder])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('has database, which is not of a demo'),
  });
  const other = await startReceiver();
  other.react(() => ({ status: 200, body: '{}' }));
  const taken = await runCli(['demo', '--data', join(folder, 'new'), '--port', new URL(other.url).port]);
  await other.close();
  rmSync(folder, { recursive: true });
  expect(taken).toMatchObject({ code: 1, errors: expect.stringContaining('Another program answers') });
});
