import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/kit/db/migrate.js';
import { subjectIdOf } from '../../src/ledger/subjectId.js';
import { engines, openTestDatabase } from '../harness/engines.js';
import { serviceMigrations } from '../harness/migrationsFolder.js';

const PLATFORM = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
const [OWN, OTHER] = ['own', 'other'].map((name) => subjectIdOf(PLATFORM, true, name));
const eventId = (number: number) => `0199a3c2-0000-7000-8000-00000000000${number}`;

describe.each(engines)('a database from before there were attesters, on %s', (engine) => {
  test('keeps its declarations, learns who confirmed, and refuses changes as before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    const migrations = join(folder, 'migrations');
    mkdirSync(migrations);
    const files = readdirSync(serviceMigrations).filter((file) => file < '0021');
    for (const file of files) copyFileSync(join(serviceMigrations, file), join(migrations, file));
    const { db, close } = await openTestDatabase(engine, { migrations });
    try {
      await db.execute(
        `insert into subject (subject_id, platform_id, livemode, external_id, record_id, subject_type, is_own, event_count, registered_at)
         values ($1, $3, true, 'own', $1, 'AGENT', true, 2, '2026-01-01'), ($2, $3, true, 'other', $2, 'PERSON', false, 1, '2026-01-01')`,
        [OWN, OTHER, PLATFORM],
      );
      await db.execute(
        `insert into declaration (subject_id, platform_id, livemode, facts, declared_at, updated_at)
         values ($1, $2, true, '{"name": "Bot"}', '2026-01-01', '2026-02-01')`,
        [OWN, PLATFORM],
      );
      const events = [
        [OWN, eventId(1), 1, true, { counterpartyRef: 'fake' }],
        [OWN, eventId(2), 2, false, null],
        [OTHER, eventId(3), 1, true, { counterpartyRef: 'Customer', confirmationId: 'c' }],
      ];
      for (const values of events) {
        await db.execute(
          `insert into event (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified,
             platform_tier, metadata, created_at)
           values ($1, $2, '${PLATFORM}', true, $3, 'CONTRACT_FULFILLED', 'MEDIUM', $4, 'STARTER', $5, '2026-01-02')`,
          values,
        );
      }
      await db.execute(
        `insert into confirmation (platform_id, confirmation_id, livemode, subject_id, external_id, event_type, stake_level,
           counterparty_ref, description, token_hash, status, event_id, created_at, expires_at)
         values ($1, $2, true, $3, 'other', 'CONTRACT_FULFILLED', 'MEDIUM', 'Customer', 'A job', '\\x00', 'CONFIRMED', $2, now(), now())`,
        [PLATFORM, eventId(3), OTHER],
      );
      await migrate(db, serviceMigrations);
      expect(await db.query('select event_id, attester, by_operator from event order by event_id')).toEqual([
        { event_id: eventId(1), attester: null, by_operator: true },
        { event_id: eventId(2), attester: null, by_operator: true },
        { event_id: eventId(3), attester: 'Customer', by_operator: null },
      ]);
      const facts = await db.query(
        `select number, is_own, facts, after_position, to_char(declared_at, 'MM') as month, declaration_no
         from declaration_fact join subject s using (subject_id, is_own) order by number`,
      );
      const common = { is_own: true, facts: { name: 'Bot' }, after_position: 2, declaration_no: 2 };
      expect(facts).toEqual([
        { number: 1, month: '01', ...common },
        { number: 2, month: '02', ...common },
      ]);
      await expect(db.execute(`update event set attester = 'somebody'`)).rejects.toThrow(/append-only/);
    } finally {
      await close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
