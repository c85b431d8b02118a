import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase } from '#harness/engines.js';
import { listAuditRuns } from '#ledger/audit/auditRuns.js';
import { runProgram } from '../crash/serverProcess.js';

const audit = (env: Record<string, string>) => runProgram('auditLedger', env);

describe('npm run audit-ledger', () => {
  test('refuses an invalid environment with the error text and exit code 2', async () => {
    const { code, stderr } = await audit({ DATABASE_URL: 'mysql://localhost/x' });
    expect(code).toBe(2);
    expect(stderr).toContain('DATABASE_URL');
  });

  test('does not create a missing database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'audit-'));
    const { code, stderr } = await audit({ DATA_DIR: folder });
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no database in ${join(folder, 'database')}`);
    rmSync(folder, { recursive: true });
  });

  test.skipIf(!hasPostgres)(
    'exits with 0 for a clean ledger, and with 1 and the difference otherwise, and stores both results',
    async () => {
      const database = await openTestDatabase('postgresql');
      const env = { DATABASE_URL: database.url ?? '' };
      const clean = await audit(env);
      expect(clean.stdout).toContain('no difference');
      expect(clean.code).toBe(0);
      const subjectId = '5f0c9b7a-1e34-8c40-8d21-0199a3c27b1e';
      await database.db.execute('insert into tally (subject_id, day, code, count) values ($1, 20000, 1, 1)', [
        subjectId,
      ]);
      const damaged = await audit(env);
      expect(damaged.stdout).toContain(`DIFFERENCE subject ${subjectId}: tally: rows without a subject`);
      expect(damaged.code).toBe(1);
      const runs = await listAuditRuns(database.db);
      expect(runs.map(({ differences }) => differences)).toEqual([1, 0]);
      expect(runs[0]?.groups[0]).toMatchObject({
        group: 0,
        ledger: { differences: 1 },
        log: { differences: 0 },
      });
      await database.db.execute('drop table audit_run');
      const unstored = await audit(env);
      expect(unstored.stdout).toContain('The result was not stored');
      expect(unstored.code).toBe(1);
      await database.close();
    },
  );
});
