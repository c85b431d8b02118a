import { Bitstring } from '@digitalbazaar/bitstring';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engines, openTestDatabase } from '#harness/engines.js';
import { CredentialQuery, MAX_TTL_SECONDS } from '#ledger/issuing/answerWithCredential.js';
import { lifetimeOf } from '#ledger/issuing/lifetime.js';
import { LIST_BITS, takeStatusEntry } from '#ledger/issuing/statusEntries.js';
import { encodedList } from '../../src/features/sharing/credentials/statusList.js';

const ttls = fc.integer({ min: 60, max: MAX_TTL_SECONDS });
const moments = fc.date({
  min: new Date('2026-01-01T00:00:00.000Z'),
  max: new Date('2036-01-01T00:00:00.000Z'),
  noInvalidDate: true,
});

describe('the lifetime of a credential', () => {
  test('starts at the full hour and lasts at least as long as requested, from now on', () => {
    fc.assert(
      fc.property(moments, ttls, (now, ttl) => {
        const { issuedAt, expiresAt } = lifetimeOf(now, ttl);
        expect(issuedAt.getTime() % 3_600_000).toBe(0);
        expect(now.getTime() - issuedAt.getTime()).toBeLessThan(3_600_000);
        const left = (expiresAt.getTime() - now.getTime()) / 1000;
        expect(left).toBeGreaterThanOrEqual(ttl);
        expect(left).toBeLessThanOrEqual(ttl < 240 ? (ttl * 7) / 6 : (ttl * 25) / 24);
      }),
    );
  });

  test('of a day or more is constant within an hour', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 86_400, max: MAX_TTL_SECONDS }), (now, ttl) => {
        const life = lifetimeOf(now, ttl);
        expect(life.expiresAt.getTime() - life.issuedAt.getTime()).toBe((ttl + 3_600) * 1000);
        expect(lifetimeOf(new Date(life.issuedAt.getTime() + 3_599_999), ttl)).toEqual(life);
      }),
    );
  });

  test('is a day unless the query says 60 to 7776000 seconds', () => {
    const ttlOf = (ttl?: string) => CredentialQuery.safeParse({ ttl }).data?.ttl;
    expect([undefined, '60', '7776000'].map(ttlOf)).toEqual([86_400, 60, 7_776_000]);
    expect(['59', '7776001', '', '3600.5', 'day'].map(ttlOf)).toEqual(Array(5).fill(undefined));
  });
});

describe('an encoded status list', () => {
  test('decodes with standard tools', async () => {
    const indexes = fc.uniqueArray(fc.integer({ min: 0, max: LIST_BITS - 1 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(indexes, async (set) => {
        const encoded = encodedList(set).slice(1);
        const bits = new Bitstring({ buffer: await Bitstring.decodeBits({ encoded }) });
        for (const index of [...set, 0, LIST_BITS - 1]) expect(bits.get(index)).toBe(set.includes(index));
        for (const index of set) {
          const next = (index + 1) % LIST_BITS;
          expect(bits.get(next)).toBe(set.includes(next));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is deterministic', () => {
    expect(encodedList([7, 131_071])).toBe(encodedList([131_071, 7]));
  });
});

/** On a server if there is one: the embedded database is slow to fill a list. */
describe.each(engines.slice(-1))('status bits on %s', (engine) => {
  test('are drawn once each, also concurrently and from a nearly full list', async () => {
    const { db, close } = await openTestDatabase(engine);
    const take = () => db.transaction((tx) => takeStatusEntry(tx, new Date()));
    const first = await take();
    expect(first.list).toBe(1);
    // 19 of 20 bits are taken.
    await db.execute(
      `insert into status_entry (list_no, entry_index)
       select 1, index from generate_series(0, $1::integer - 1) as bits (index) where index % 20 <> 0
       on conflict do nothing`,
      [LIST_BITS],
    );
    const taken = await Promise.all(Array.from({ length: 60 }, take));
    const indexes = new Set(taken.map(({ list, index }) => `${list} ${index}`));
    expect(indexes.size).toBe(60);
    for (const { list } of taken) expect([1, 2]).toContain(list);
    expect(taken.filter(({ list, index }) => list === 1 && index % 20 !== 0)).toEqual([]);
    await close();
  });
});
