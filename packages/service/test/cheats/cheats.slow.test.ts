import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasCitus, hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { dropDatabase, freshName, onServer } from '#harness/postgresCluster.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
import type { Clock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { outcome, report } from '../features/intake/eventFixtures.js';
import { cheats, FORK, growingCheats, RESTORE, USER, type Watcher, watchers, whoNotices } from './cheats.js';
import { reportColumns } from './columnCheats.js';
import {
  askWitness,
  audit,
  checkpointFinds,
  type KeptReceipt,
  platformFinds,
  witnessFinds,
} from './readers.js';

/** Reports that make the log larger than it was before any cheat. */
const MORE = 40;
/** The first events were recorded so long ago: nobody can log them again unseen. */
const EARLIER_DAYS = 40;

/** What readers kept at one moment. */
interface Kept {
  receipts: KeptReceipt[];
  checkpoint: string;
}

// The cheats copy databases on one server, which a Citus cluster cannot.
describe.runIf(hasPostgres && !hasCitus)('an operator with the rights of a superuser', () => {
  let present: TestDatabase;
  let backupUrl: string;
  let vkey: string;
  let keptEarlier: Kept;
  let kept: Kept;
  let witness: TestService;
  const copies: string[] = [];

  beforeAll(async () => {
    present = await openTestDatabase('postgresql');
    const events: string[] = [];
    const add = async (service: TestService, more: object) => {
      const completedAt = new Date(
        Date.now() - (EARLIER_DAYS + 9 - events.length) * 86_400_000,
      ).toISOString();
      const metadata = { note: 'as agreed' };
      const { status, body } = await report(
        service,
        outcome({ userId: USER, stakeLevel: 'MEDIUM', completedAt, metadata, ...more }),
      );
      expect(status).toBe(201);
      events.push(body.eventId);
    };
    const breach = { eventType: 'CONTRACT_BREACHED', isVerified: true };

    const service = await startOn(present.db, {
      now: () => new Date(Date.now() - EARLIER_DAYS * 86_400_000),
    });
    await add(service, {});
    await add(service, breach);
    await add(service, { eventType: 'CONTRACT_FULFILLED' });
    await report(service, outcome({ userId: 'worker-2' }));
    await reportColumns(service);
    await add(service, {});
    expect((await service.request('POST', `/users/${USER}/share-token`, { body: {} })).status).toBe(201);
    expect((await service.request('DELETE', `/users/${USER}/share-token`)).status).toBe(200);
    await logged(service);
    const ledgerLog = await service.request('GET', '!/.well-known/ledger-log.json', { key: null });
    vkey = ledgerLog.body.vkey;
    keptEarlier = await keep(service, events);
    await service.close();
    await present.db.execute('create table earlier_block as select * from log_block');
    await present.db.execute('create table earlier_state as select tree_size from log_state');
    backupUrl = await copyOf(present.url ?? '');

    const later = await startOn(present.db);
    await add(later, breach);
    await add(later, {});
    await logged(later);
    kept = await keep(later, events);
    await later.close();
    witness = await startTestService('postgresql', {
      env: { BASE_URL: 'https://witness.example', LOG_WITNESS_FOR: vkey },
    });
    const cosigned = await askWitness(witness, `old 0\n\n${kept.checkpoint}`);
    expect(cosigned.status, cosigned.text).toBe(200);
    await witness.db.execute('create table kept_log as select * from witnessed_log');
  });

  /** It knows the log as it was before any cheat. */
  beforeEach(async () => {
    await witness.db.execute('delete from witnessed_log');
    await witness.db.execute('insert into witnessed_log select * from kept_log');
  });

  afterAll(async () => {
    await witness?.close();
    await present?.close();
    for (const url of copies) await dropDatabaseAt(url);
  });

  test('who does nothing is accused by nobody', async () => {
    expect(await notice([], { growsOn: true })).toEqual({});
  });

  const noticedBy = whoNotices();
  const expectNotice = async (name: string, found: Partial<Record<Watcher, string[]>>) => {
    const who = watchers.filter((watcher) => found[watcher]);
    expect(who, JSON.stringify(found, null, 1)).toEqual(noticedBy.get(name));
  };

  test.each(Object.entries(cheats))('%s', async (name, statements) => {
    await expectNotice(name, await notice(statements));
  });

  test.each(Object.entries(growingCheats))('%s', async (name, statements) => {
    await expectNotice(name, await notice(statements, { growsOn: true }));
  });

  test(RESTORE, async () => {
    await expectNotice(RESTORE, await notice([], { growsOn: true, on: backupUrl }));
  });

  test(FORK, async () => {
    // One reader is shown the log as it is. The other one's log lacks the last two events.
    const [shown, hidden] = await Promise.all([open(present.url ?? ''), open(backupUrl)]);
    const one = await startOn(shown);
    const other = await startOn(hidden);
    await growOn(other);
    await Promise.all([logged(one), logged(other)]);
    const found = onlyFound({
      audit: [...(await audit(shown)), ...(await audit(hidden))],
      receipt: [
        ...(await platformFinds(one, vkey, USER, kept.receipts)),
        ...(await platformFinds(other, vkey, USER, keptEarlier.receipts)),
      ],
      checkpoint: [
        await checkpointFinds(one, keptEarlier.checkpoint),
        await checkpointFinds(other, keptEarlier.checkpoint),
      ],
      // It cosigned what the first reader was shown, and is asked about the other's log.
      witness: [
        await witnessFinds(witness, one, kept.checkpoint),
        await witnessFinds(witness, other, kept.checkpoint),
      ],
    });
    await Promise.all([one.close(), other.close()]);
    await Promise.all([shown.close(), hidden.close()]);
    await expectNotice(FORK, found);
  });

  /** What each of the watchers finds after the statements on a copy, each of which changes something. */
  async function notice(statements: readonly string[], { growsOn = false, on = present.url ?? '' } = {}) {
    const copy = await open(on);
    await copy.transaction(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      for (const text of statements)
        if ((await tx.execute(text)) === 0) throw new Error(`nothing was changed by: ${text}`);
    });
    const service = await startOn(copy);
    if (growsOn) await growOn(service);
    await logged(service);
    const found = onlyFound({
      checkpoint: [await checkpointFinds(service, kept.checkpoint)],
      witness: [await witnessFinds(witness, service, kept.checkpoint)],
      audit: await audit(copy),
      receipt: await platformFinds(service, vkey, USER, kept.receipts),
    });
    await service.close();
    await copy.close();
    return found;
  }

  async function open(url: string): Promise<Database> {
    const copied = await copyOf(url);
    return openDatabase({ databaseUrl: copied, log: quietLog });
  }

  async function copyOf(url: string): Promise<string> {
    const copied = new URL(url);
    const name = freshName('reliability_cheat');
    copied.pathname = `/${name}`;
    const server = new URL(url);
    server.pathname = '/postgres';
    await onServer(server.href, async (admin) => {
      // A template must have no connections, and the pool of the source would open new ones.
      const source = new URL(url).pathname.slice(1);
      await admin.query(`alter database ${source} allow_connections false`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        source,
      ]);
      await admin.query(`create database ${name} template ${source}`);
      await admin.query(`alter database ${source} allow_connections true`);
    });
    copies.push(copied.href);
    return copied.href;
  }
});

/** Without the watchers that find nothing. */
function onlyFound(found: Record<Watcher, (string | null)[]>): Partial<Record<Watcher, string[]>> {
  const entries = Object.entries(found).map(
    ([who, what]) => [who, what.filter((each) => each !== null)] as const,
  );
  return Object.fromEntries(entries.filter(([, what]) => what.length > 0));
}

function startOn(db: Database, clock?: Clock): Promise<TestService> {
  const log = pino({ level: 'silent' });
  const env = { BASE_URL: 'https://reliability.example' };
  return startTestService('postgresql', { db, log, env, ...(clock && { clock }) });
}

async function growOn(service: TestService): Promise<void> {
  for (let i = 0; i < MORE; i += 1) {
    expect((await report(service, outcome({ userId: `worker-${i + 10}` }))).status).toBe(201);
  }
}

/** Every fact is logged and signed, or the log takes in nothing more. */
async function logged(service: TestService): Promise<void> {
  await service.settle();
  await eventually(async () => {
    const [row] = await service.db.query<{ isOver: boolean }>(
      `select halted is not null or not exists (select 1 from log_queue)
         and tree_size = (select max(tree_size) from log_checkpoint) as is_over from log_state`,
    );
    return row?.isOver === true;
  });
}

async function keep(service: TestService, events: readonly string[]): Promise<Kept> {
  const receipts: KeptReceipt[] = [];
  for (const eventId of events) {
    const { status, body } = await service.request('GET', `/events/${eventId}/receipt`);
    expect(status).toBe(200);
    const { leafIndex, fact, checkpoint } = body;
    receipts.push({ eventId, leafIndex, fact, checkpoint, file: body });
  }
  const { text } = await service.request('GET', '!/log/checkpoint', { key: null });
  return { receipts, checkpoint: text };
}

async function dropDatabaseAt(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  await onServer(server.href, (admin) => dropDatabase(admin, name));
}
