import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dayOf, foldTallies, type Score, score } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Book, makeBook } from '../src/commands/demo/book.js';
import { joinPlatform } from '../src/commands/demo/joinPlatform.js';
import { demoPlatforms, type PlatformPlan } from '../src/commands/demo/platforms.js';
import { runDemo } from '../src/commands/demo/runDemo.js';
import { createBacktest } from '../src/domain/backtest/backtest.js';
import { cutoffsOf } from '../src/domain/backtest/cutoffs.js';
import { systemClock } from '../src/kit/clock.js';
import { runEntry } from './crash/serverProcess.js';
import { freePort } from './harness/freePort.js';
import { serviceMigrations } from './harness/migrationsFolder.js';
import { seededDataDir } from './harness/pgliteSeed.js';
import { scratchFolder } from './harness/scratchFolder.js';
import { startTestService, type TestService } from './harness/service.js';
import { settledLog } from './ledger/log/logDeps.js';

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

  test('names the customer of each confirmed outcome, and several customers for each subject', () => {
    for (const { plan, book } of books) {
      for (const [userId, count] of book.eventCounts) {
        const own = book.events.filter((event) => event.userId === userId);
        const customers = own.flatMap(({ verifiedBy }) => verifiedBy ?? []);
        expect(customers).toHaveLength(own.filter(({ isVerified }) => isVerified).length);
        for (const customer of customers) expect(plan.customers).toContain(customer);
        if (count > 10 && customers.length > 0) expect(new Set(customers).size).toBeGreaterThan(5);
      }
    }
  });

  test('describes its people as their scores do', () => {
    const scores = new Map<string, Score>();
    for (const { plan, book } of books) {
      for (const { userId } of book.spotlights) scores.set(userId, scoreIn(plan, book, userId));
    }
    const bandOf = (userId: string) => scores.get(userId)?.scoreBand;
    expect(bandOf('ada-okafor')).toBe('Excellent');
    expect(bandOf('greg-mills')).toBe('High Risk');
    expect(bandOf('maria-santos')).toBe('Unproven');
    expect(scores.get('maria-santos')?.verifiedEvents).toBe(0);
    expect(scores.get('nora-lindqvist')?.confidence).toBeLessThan(0.7);
    const pointsOf = (userId: string) => scores.get(userId)?.finalScore ?? 0;
    expect(pointsOf('tom-becker')).toBeGreaterThan(pointsOf('yuki-tanaka'));
    expect(pointsOf('ada-okafor')).toBeGreaterThan(pointsOf('liam-novak'));
  });

  test('is long enough for a backtest: every band has a rate', () => {
    const options = { by: 'outcome', everyDays: 30, horizonDays: 90, from: null, to: null } as const;
    const today = dayOf(TODAY);
    const backtest = createBacktest({
      options,
      cutoffs: cutoffsOf(options, today - 360, today),
      today,
      other: null,
    });
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

  test('shows every band', () => {
    const bands = books.flatMap(({ plan, book }) =>
      [...book.eventCounts.keys()].map((userId) => scoreIn(plan, book, userId).scoreBand),
    );
    expect([...new Set(bands)].sort()).toEqual([
      'Building',
      'Excellent',
      'Fair',
      'Good',
      'High Risk',
      'Unproven',
    ]);
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
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('pglite');
  });
  afterAll(() => service.close());

  async function run(): Promise<string> {
    let text = '';
    const output = {
      write(more: string) {
        text += more;
      },
    };
    await runDemo({ url: service.url, adminSecret: service.adminSecret, clock: systemClock, output });
    return text;
  }

  async function eventCount(): Promise<number> {
    const [row] = await service.db.query<{ count: number }>('select count(*)::integer as count from event');
    return row?.count ?? 0;
  }

  test('loads its data, prints where to look, and adds nothing in a second run', async () => {
    const first = await run();
    const count = await eventCount();
    expect(first).toContain(`${count} outcomes recorded.`);
    expect(first).toContain('100 %');
    for (const name of ['ada-okafor', 'maria-santos', 'greg-mills']) expect(first).toContain(name);
    expect(await paste(first)).toEqual([200, 200, 200, 200, 200, 200]);
    const second = await run();
    expect(second).toContain('Nothing was added');
    expect(await eventCount()).toBe(count);
    const [platforms] = await service.db.query<{ count: number }>(
      'select count(*)::integer as count from platform',
    );
    expect(platforms?.count).toBe(1 + demoPlatforms.length);
    const [frozen] = await service.db.query<{ count: number }>(
      'select count(*)::integer as count from score where frozen_at is not null',
    );
    expect(frozen?.count).toBe(0);
  }, 120_000);

  test('is imported without a warning, each confirmed outcome with its customer', async () => {
    await run();
    const found = await service.db.query<{ total: number }>(
      `select sum(total_rows)::integer as total, count(*) filter (where status <> 'COMPLETED')::integer
         + sum(failed_count + warning_count)::integer as issues from import_job
       where created_count > 0`,
    );
    expect(found).toEqual([{ total: await eventCount(), issues: 0 }]);
    const [unnamed] = await service.db.query<{ count: number }>(
      `select count(*)::integer as count from event
       left join event_text using (event_id, subject_id)
       where not imported or is_verified <> (attester is not null)`,
    );
    expect(unnamed?.count).toBe(0);
  }, 120_000);

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
        expect(await platform.riskLevel(userId), userId).toBe(isExpected ? 'elevated' : 'none');
      }
    }
  }, 120_000);

  test('prints how to verify a score offline, which names the failing step of a changed proof', async () => {
    const commands = (await run()).split('\n');
    const [save = '', check = ''] = commands.slice(
      commands.findIndex((line) => line.endsWith('> proof.json')),
    );
    await settledLog(service.db);
    const folder = scratchFolder('reliability-demo-proof-');
    const program = join(import.meta.dirname, '../dist/verifyProof.js');
    const inShell = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder });
    const verified = check.replace('npm run verify --', `node ${program}`);
    try {
      await inShell(save);
      expect((await inShell(verified)).stdout).toMatch(
        /^ok +score +Recomputed by formula.*\n.*\nVerified\.\n$/m,
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
  }, 120_000);

  test('reports a wrong admin secret in one sentence', async () => {
    const output = { write: () => undefined };
    const wrong = runDemo({
      url: service.url,
      adminSecret: 'not-the-secret-at-all',
      clock: systemClock,
      output,
    });
    await expect(wrong).rejects.toThrow('admin secret is wrong');
  });
});

describe('npm run demo', () => {
  test('starts a service if none runs, and Ctrl-C stops both', async () => {
    const dataDir = scratchFolder('reliability-demo-');
    await seededDataDir(serviceMigrations, join(dataDir, 'database'));
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'error' };
    const child = runEntry('demo', env);
    let text = '';
    const started = new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`the demo ended early:\n${text}`)));
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (text.includes('Stop it with Ctrl-C')) resolve();
        });
      }
    });
    try {
      await started;
      expect(text).toContain('so the demo starts one');
      expect(await paste(text)).toEqual([200, 200, 200, 200, 200, 200]);
      const code = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      expect(await code).toBe(0);
      await expect(fetch(`http://127.0.0.1:${env.PORT}/health`)).rejects.toThrow();
    } finally {
      child.kill('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  }, 180_000);

  test('reports a configured address that does not answer and starts no service', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const child = runEntry('demo', {}, ['--url', address]);
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
    expect(text).toBe(`No service answers at ${address}.\n`);
  });
});
