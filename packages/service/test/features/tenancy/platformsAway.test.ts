import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTestGroups, hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { systemClock } from '#kit/clock.js';
import { type Database, DatabaseUnavailableError, type Tx } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { createPlatform } from '../../../src/features/tenancy/platforms/changePlatforms.js';
import { openGroups } from '../../../src/shape/groups/groups.js';

const away = 1;
const gone = () => Promise.reject(new DatabaseUnavailableError('the node is away'));

describe.skipIf(!hasPostgres)('a new platform while the node of a ledger group is away', () => {
  let opened: TestDatabase;
  let groups: Database[];

  beforeAll(async () => {
    opened = await openTestDatabase('postgresql');
    await addTestGroups(opened.db, 3 - (await openGroups(opened.db)).length);
    await opened.db.execute('update ledger_group set is_open = group_id > 0');
    groups = await openGroups(opened.db);
  });
  afterAll(() => opened.close());

  const create = (group?: number) => {
    const deps = {
      db: opened.db,
      groups: () => groups.map((db) => (db.ledgers.own === away ? { ledgers: db.ledgers, ping: gone } : db)),
      clock: systemClock,
      ids: createIdSource(),
      withIdempotency: (_claim: null, _options: object, work: (tx: Tx) => unknown) =>
        opened.db.transaction(async (tx) =>
          work(
            new Proxy(tx, {
              get(target, name) {
                const member = Reflect.get(target, name, target);
                if (typeof member !== 'function') return member;
                return (...values: unknown[]) =>
                  name === 'inLedger' && values[0] === away ? gone() : Reflect.apply(member, target, values);
              },
            }),
          ),
        ),
    };
    return createPlatform(
      deps as never,
      { kind: 'operator', actor: 'operator' },
      { name: 'New', group } as never,
      null,
    );
  };

  test('is placed in a group that answers', async () => {
    const { body } = await create();
    const rows = await opened.db.query('select platform_id, group_id from platform');
    expect(rows).toEqual([{ platformId: body.platform.id, groupId: 2 }]);
    expect(await groups[2]?.query('select from activity')).toHaveLength(3);
  });

  test('is refused if the operator names that group, and leaves nothing behind', async () => {
    await expect(create(away)).rejects.toThrow(DatabaseUnavailableError);
    expect(await opened.db.query('select from platform')).toHaveLength(1);
    expect(await opened.db.query('select from api_key')).toHaveLength(2);
  });
});
