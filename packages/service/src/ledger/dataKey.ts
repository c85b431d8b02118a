import type { RotatingVault } from '#kit/crypto.js';
import type { Database, Queryable } from '#kit/db/database.js';

const CHECK_TEXT = 'the key of this installation';
const CHECK_CONTEXT = 'data key check';

/**
 * - `current`: everything is sealed under DATA_KEY
 * - `previous`: DATA_KEY_PREVIOUS is in use; the rotation has not begun
 * - `rotating`: DATA_KEY is in use, and something may still be sealed under DATA_KEY_PREVIOUS
 * - `previousMissing`: the same, and DATA_KEY_PREVIOUS is not the former key
 * - `unknown`: neither is the key of this database
 */
export type DataKeyState = 'current' | 'previous' | 'rotating' | 'previousMissing' | 'unknown';

/** Makes the vault seal with the key in use. The first call on a database stores DATA_KEY as its key. */
export async function adoptDataKey(db: Queryable, vault: RotatingVault): Promise<DataKeyState> {
  // Written only where it is missing: a write would need all nodes of a cluster. One statement, so that
  // of processes that start together the first one's key is stored.
  if ((await db.query('select 1 from installation where data_key_check is null')).length > 0) {
    await db.execute('update installation set data_key_check = $1 where data_key_check is null', [
      vault.seal(CHECK_TEXT, CHECK_CONTEXT),
    ]);
  }
  return readDataKey(db, vault);
}

export async function readDataKey(db: Queryable, vault: RotatingVault): Promise<DataKeyState> {
  const [row] = await db.query<{ dataKeyCheck: Buffer | null; previousDataKeyCheck: Buffer | null }>(
    'select data_key_check, previous_data_key_check from installation',
  );
  if (!row?.dataKeyCheck) throw new Error('the table `installation` has no key: call adoptDataKey first');
  const inUse = vault.keyOf(row.dataKeyCheck, CHECK_CONTEXT);
  if (inUse === null) return 'unknown';
  if (row.previousDataKeyCheck && vault.keyOf(row.previousDataKeyCheck, CHECK_CONTEXT) === null)
    return 'previousMissing';
  vault.sealWith(inUse);
  if (inUse === 'previous') return 'previous';
  return row.previousDataKeyCheck ? 'rotating' : 'current';
}

/** From now on every process seals with DATA_KEY; the former key stays readable. */
export async function beginRotation(db: Database, vault: RotatingVault): Promise<void> {
  await changeKey(db, vault, 'previous', 'data_key_check');
  vault.sealWith('current');
}

export function endRotation(db: Database, vault: RotatingVault): Promise<void> {
  return changeKey(db, vault, 'rotating', 'null');
}

/** Stores DATA_KEY as the key, if the state is `from`. @param previous an expression for the former key. */
async function changeKey(
  db: Database,
  vault: RotatingVault,
  from: DataKeyState,
  previous: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute('select 1 from installation for update');
    if ((await readDataKey(tx, vault)) !== from) return;
    vault.sealWith('current');
    await tx.execute(`update installation set data_key_check = $1, previous_data_key_check = ${previous}`, [
      vault.seal(CHECK_TEXT, CHECK_CONTEXT),
    ]);
  });
}
