// Run as a process by dataDir.slow.test.ts: prints 'open' (or the error), then each number when its
// row is committed.

import { quietLog } from '#harness/quietLog.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';

const say = (line: string | number) => process.stdout.write(`${line}\n`);

try {
  const db = await openDatabase({ dataDir: process.argv[2] ?? '', log: quietLog });
  const [last] = await db.query<{ n: number }>('select coalesce(max(n), 0) as n from item');
  say('open');
  for (let n = (last?.n ?? 0) + 1; ; n += 1) {
    await db.transaction((tx) =>
      tx.execute('insert into item (n, pad) values ($1, $2)', [n, 'x'.repeat(n % 3_000)]),
    );
    say(n);
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
}
