import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dayOf, foldTallies, type Score, score, scoreBands } from '@reliability/scoring';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBacktest, cutoffsOf } from '../../service/src/domain/backtest/backtest.js';
import { freePort } from '../../service/test/harness/freePort.js';
import { givenService } from '../../service/test/harness/givenService.js';
import { serviceMigrations } from '../../service/test/harness/migrationsFolder.js';
import { seededDataDir } from '../../service/test/harness/pgliteSeed.js';
import { startReceiver } from '../../service/test/harness/receiver.js';
import { scratchFolder } from '../../service/test/harness/scratchFolder.js';
import { settledLog } from '../../service/test/ledger/log/logDeps.js';
import { type Book, makeBook } from '../src/demo/book.js';
import { joinPlatform } from '../src/demo/joinPlatform.js';
import { demoPlatforms, type PlatformPlan } from '../src/demo/platforms.js';
import { runDemo } from '../src/demo/runDemo.js';
import { createOutput } from '../src/output.js';
import { runCli, startCli } from './runCli.js';

const TODAY = new Date('2026-05-04T00:00:00.000Z');

describe('the data of the demo', () => {
  const books = demoPlatforms.map((plan) => ({ plan, book: makeBook(plan, TODAY) }));

  test('is the same in every run of a day and has the same item keys every day', () => {
    const tomorrow = new Date('2026-05-05T00:00:00.000Z');
    const keysOf = (book: Book) => book.events.map((event) => event.idempotencyKey);
    for (const { plan, book } of books) {
      expect(makeBook(plan, TODAY)).toEqual(book);
      expect(keysOf(makeBook(plan, tomorrow))).toEqual(keysOf(book));
      expect(new Set(keysOf(book)).size).toBe(book.events.length);
    }
  });

  test('has two hundred people, none with enough events for a freeze', () => {
    const counts = books.flatMap(({ book }) => [...book.eventCounts.values()]);
    expect(counts).toHaveLength(200);
    expect(Math.max(...counts)).toBeLessThan(250);
  });

  test('lies in the past year', () => {
    for (const { book } of books) {
      const moments = book.events
        .flatMap(({ dueDate, completedAt }) => [dueDate, completedAt ?? dueDate])
        .sort();
      expect(Date.parse(moments.at(-1) ?? '')).toBeLessThan(TODAY.getTime());
      const firstDaysAgo = (TODAY.getTime() - Date.parse(moments[0] ?? '')) / 86_400_000;
      expect(firstDaysAgo).toBeGreaterThan(330);
      expect(firstDaysAgo).toBeLessThanOrEqual(366);
    }
  });

  test('shows every band, and describes its people as their scores do', () => {
    const scores = new Map(
      books.flatMap(({ plan, book }) =>
        [...book.eventCounts.keys()].map((userId) => [userId, scoreIn(plan, book, userId)] as const),
      ),
    );
    expect(new Set([...scores.values()].map(({ scoreBand }) => scoreBand))).toEqual(new Set(scoreBands));
    expect(scores.get('ada-okafor')?.scoreBand).toBe('Excellent');
    expect(scores.get('greg-mills')?.scoreBand).toBe('High Risk');
    expect(scores.get('maria-santos')).toMatchObject({ scoreBand: 'Unproven', verifiedEvents: 0 });
    expect(scores.get('nora-lindqvist')?.confidence).toBeLessThan(0.7);
    const pointsOf = (userId: string) => scores.get(userId)?.finalScore ?? 0;
    expect(pointsOf('tom-becker')).toBeGreaterThan(pointsOf('yuki-tanaka'));
    expect(pointsOf('ada-okafor')).toBeGreaterThan(pointsOf('liam-novak'));
  });

  test('is long enough for a backtest: every band has a rate', () => {
    const options = { by: 'outcome', everyDays: 30, horizonDays: 90, from: null, to: null } as const;
    const today = dayOf(TODAY);
    const cutoffs = cutoffsOf(options, today - 360, today);
    const backtest = createBacktest({ options, cutoffs, today, other: null });
    for (const { plan, book } of books) {
      for (const userId of book.eventCounts.keys()) {
        const fold = backtest.fold();
        for (const facts of factsOf(plan, book, userId))
          fold.add({ ...facts, eventId: null, disputeId: null, closesEventId: null });
        backtest.take(userId, 'PERSON', fold);
      }
    }
    const { bands, discrimination, groups } = backtest.report();
    for (const { band, kept } of bands) expect(kept, band).not.toBeNull();
    expect(discrimination.ci95).not.toBeNull();
    expect(groups.confidence.every(({ auc }) => auc !== null)).toBe(true);
  });
});

function scoreIn(plan: PlatformPlan, book: Book, userId: string): Score {
  const result = score(foldTallies(factsOf(plan, book, userId)), dayOf(TODAY));
  if (!result) throw new Error(`${userId} has no outcome`);
  return result;
}

function factsOf({ trustTier }: PlatformPlan, { events }: Book, userId: string) {
  const own = events.filter((event) => event.userId === userId);
  return own.map((event) => ({
    ...event,
    platformTier: trustTier,
    createdAt: TODAY,
    dueDate: new Date(event.dueDate),
    completedAt: event.completedAt === undefined ? null : new Date(event.completedAt),
  }));
}

/** Runs the printed commands that only read. */
async function paste(text: string): Promise<number[]> {
  const lines = [...text.matchAll(/curl -sS '([^']+)' -H 'Authorization: (Bearer [^']+)'$/gm)];
  const answers = lines.map(([, url = '', authorization = '']) =>
    fetch(url, { headers: { Authorization: authorization } }),
  );
  return Promise.all(answers.map(async (answer) => (await answer).status));
}

describe('the demo on a running service', () => {
  const service = givenService('pglite');

  async function run(): Promise<string> {
    let text = '';
    const stream = {
      write(more: string) {
        text += more;
      },
    };
    const output = createOutput({ isJson: false, env: {}, stdout: stream, stderr: stream });
    const { url, adminSecret } = service;
    await runDemo({ url, adminSecret, now: new Date(), output, folder: null });
    return text;
  }

  async function countOf(rows: string): Promise<number> {
    const [row] = await service.db.query<{ count: number }>(`select count(*)::integer as count from ${rows}`);
    return row?.count ?? Number.NaN;
  }

  test('loads its data, prints where to look, and adds nothing in a second run', async () => {
    const first = await run();
    const count = await countOf('event');
    expect(first).toContain(`${count} outcomes recorded.`);
    expect(first).toContain('100 %');
    for (const name of ['ada-okafor', 'maria-santos', 'greg-mills']) expect(first).toContain(name);
    expect(await paste(first)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await run()).toContain('Nothing was added.');
    expect(await countOf('event')).toBe(count);
    expect(await countOf('platform')).toBe(1 + demoPlatforms.length);
    expect(await countOf('score where frozen_at is not null')).toBe(0);
  });

  test('is imported without a warning, each confirmed outcome with its customer', async () => {
    await run();
    const found = await service.db.query<{ total: number }>(
      `select sum(total_rows)::integer as total, count(*) filter (where status <> 'COMPLETED')::integer
         + sum(failed_count + warning_count)::integer as issues from import_job
       where created_count > 0`,
    );
    expect(found).toEqual([{ total: await countOf('event'), issues: 0 }]);
    const unnamed = 'not imported or is_verified <> (attester is not null)';
    expect(await countOf(`event left join event_text using (event_id, subject_id) where ${unnamed}`)).toBe(0);
  });

  test('stops at a row that the service refuses and says where to read the reason', async () => {
    const [plan] = demoPlatforms;
    if (!plan) throw new Error('the demo has no platform');
    const platform = await joinPlatform(service.url, service.adminSecret, plan);
    const mapping = { userId: { path: 'userId' }, eventType: { path: 'eventType' } };
    const refused = platform.importFile({ csv: 'userId,eventType\nada,UNHEARD_OF', mapping }, () => {});
    await expect(refused).rejects.toThrow(
      /^1 of 1 rows failed\. GET \/imports\/\S+\/errors has the reasons\.$/,
    );
  });

  test('raises risk signals only for people with one main customer or without any', async () => {
    await run();
    for (const plan of demoPlatforms) {
      const platform = await joinPlatform(service.url, service.adminSecret, plan);
      const { events, eventCounts } = makeBook(plan, TODAY);
      const confirmed = new Set(events.filter(({ isVerified }) => isVerified).map(({ userId }) => userId));
      for (const userId of eventCounts.keys()) {
        const isExpected = userId === 'ruth-keller' || !confirmed.has(userId);
        expect((await platform.client.readRisk(userId)).level, userId).toBe(isExpected ? 'elevated' : 'none');
      }
    }
  });

  test('prints how to verify a score offline, which names the failing step of a changed proof', async () => {
    const commands = (await run()).split('\n');
    const [save = '', check = ''] = commands.slice(
      commands.findIndex((line) => line.endsWith('> proof.json')),
    );
    await settledLog(service.db);
    const folder = scratchFolder('reliability-demo-proof-');
    const program = join(import.meta.dirname, '../dist/reliability.js');
    const inShell = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder });
    const verified = check.replace('npx reliability', `node ${program}`);
    try {
      await inShell(save);
      expect((await inShell(verified)).stdout).toMatch(
        /^ok +score +Recomputed by formula.*\nok +reasons +.*\n(?:ok +.*\n)+Verified\.\n$/m,
      );
      await inShell(
        `sed 's/CONTRACT_BREACHED/CONTRACT_FULFILLED/' proof.json > other && mv other proof.json`,
      );
      await expect(inShell(verified)).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^FAILED +events +/m),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('reports a wrong admin secret in one sentence', async () => {
    const args = ['demo', '--url', service.url, '--admin-secret', 'not-the-secret-at-all'];
    expect(await runCli(args)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/UNAUTHORIZED|admin/i),
    });
  });
});

describe('reliability demo', () => {
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder('reliability-demo-');
    return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('starts a service of its own, says whether it stays up, and Ctrl-C stops both', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'this-is-a-demo'), '');
    await seededDataDir(serviceMigrations, join(data, 'database'));
    const port = String(await freePort());
    // A demo never uses the settings of the real service.
    const real = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/real', DATA_DIR: join(folder, 'real') };
    const env = { ...real, PORT: '1' };
    const args = ['demo', '--data', data, '--port', port];
    const child = startCli(args, { env });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    try {
      await expect.poll(() => text).toContain('until you press Ctrl-C');
      expect(text).toContain('DATABASE_URL is not used');
      expect(existsSync(env.DATA_DIR)).toBe(false);
      expect(await paste(text)).toEqual([200, 200, 200, 200, 200, 200]);
      const pages = [...text.matchAll(/^ {4}(http\S+)$/gm)].map(([, url = '']) => url);
      expect(pages.length).toBeGreaterThanOrEqual(3);
      for (const url of pages) expect((await fetch(url)).status, url).toBe(200);
      const [, report = ''] = /^ {4}file:\/\/(\S+)$/m.exec(text) ?? [];
      expect(readFileSync(report, 'utf8')).toContain('<!doctype html>');
      const again = await runCli(args);
      expect(again.code).toBe(0);
      expect(again.output).toContain('The sample data is there already');
      expect(again.output).toContain(`The demo was running already, at http://localhost:${port}.`);
      const code = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      expect(await code).toBe(0);
      await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    } finally {
      child.kill('SIGTERM');
    }
  });

  test('refuses a folder with real data, and a port of another service', async () => {
    mkdirSync(join(folder, 'database'));
    expect(await runCli(['demo', '--data', folder])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('has a database that is not of a demo'),
    });
    const other = await startReceiver();
    other.react(() => ({ status: 200, body: '{}' }));
    const args = ['demo', '--data', join(folder, 'new'), '--port', new URL(other.url).port];
    const taken = await runCli(args);
    await other.close();
    expect(taken).toMatchObject({ code: 1, errors: expect.stringContaining('Another program answers') });
  });

  test('reports an address that does not answer and starts no service', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const refused = await runCli(['demo', '--url', address, '--admin-secret', 'some-admin-secret']);
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain(`No answer from ${address} (ECONNREFUSED).`);
  });
});
