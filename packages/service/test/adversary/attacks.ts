import { DAY_MS, HOUR_MS } from '#domain/timestamp.js';
import type { Job, Market, Subject } from './market.js';

/**
 * A way to a better score than the work deserves. `honest` has the same real work, reported as it
 * was; `attacker` shows it off.
 */
export type Attack = (market: Market, honest: Subject, attacker: Subject) => Promise<void>;

/** A working hour so many days ago, another one each day, so that no two jobs happen at once. */
function at(daysAgo: number, plusMs = 0): number {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return midnight - daysAgo * DAY_MS + 9 * HOUR_MS + ((daysAgo * 37) % 420) * 60_000 + plusMs;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** A job that ended so many days ago and was due some hours later, as promised before. */
function job(daysAgo: number, more: Partial<Job> = {}): Job {
  const ms = at(daysAgo);
  const dueDate = iso(ms + ((daysAgo * 13) % 70) * HOUR_MS + daysAgo * 61_000);
  return { completedAt: iso(ms), dueDate, transactionValue: 50 + ((daysAgo * 7) % 90), ...more };
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const by = (verifiedBy: string, work: Job) => ({ ...work, verifiedBy });
const breach = (daysAgo: number, more: Partial<Job> = {}): Job => ({
  eventType: 'CONTRACT_BREACHED',
  completedAt: iso(at(daysAgo)),
  ...more,
});

/** Two jobs for two clients. */
const twoJobs = [by('client-1', job(20)), by('client-2', job(45))];
const oneJob = [by('client-1', job(20))];

export const attacks: Readonly<Record<string, Attack>> = {
  ring: async (market, honest, attacker) => {
    await honest.reportConfirmed(twoJobs);
    await attacker.reportConfirmed(twoJobs);
    const friends = ['ring-b', 'ring-c', 'ring-d'];
    for (const [index, friend] of friends.entries()) {
      for (const daysAgo of many(8, (round) => 3 + index + round * 7))
        await attacker.confirm(job(daysAgo), friend);
      const next = friends[(index + 1) % friends.length] ?? '';
      for (const other of [attacker.id, next]) await market(friend).confirm(job(5 + index), other);
    }
  },
  'one voucher a thousand times': async (_, honest, attacker) => {
    await honest.reportConfirmed(twoJobs);
    await attacker.reportConfirmed(twoJobs);
    await attacker.import(
      many(1000, (index) => by('friend', job(2 + (index % 360), { transactionValue: index }))),
    );
  },
  'one job as a hundred, at once': async (_, honest, attacker) => {
    await honest.reportConfirmed([by('client-1', job(3, { stakeLevel: 'HIGH' }))]);
    const pieces = many(100, (index) => ({
      completedAt: iso(at(3, index * 30_000)),
      dueDate: iso(at(3) + 2 * DAY_MS),
      transactionValue: 1 + index,
    }));
    await attacker.reportConfirmed(pieces.map((piece) => by('client-1', { ...piece, stakeLevel: 'LOW' })));
  },
  'one job as a hundred, one a day': async (_, honest, attacker) => {
    await honest.reportConfirmed([by('client-1', job(3, { stakeLevel: 'HIGH' }))]);
    await attacker.reportConfirmed(
      many(100, (index) => by('client-1', job(2 + index, { stakeLevel: 'LOW' }))),
    );
  },
  'one job as a hundred, one a day, client not named': async (_, honest, attacker) => {
    await honest.report([job(3, { stakeLevel: 'HIGH' })]);
    await attacker.report(many(100, (index) => job(2 + index, { stakeLevel: 'LOW' })));
  },
  'small jobs before a large one': async (_, honest, attacker) => {
    const large = by('client-1', breach(1, { stakeLevel: 'HIGH' }));
    const small = many(60, (index) =>
      by(`small-${index}`, {
        stakeLevel: 'LOW',
        completedAt: iso(at(2 + (index % 5), index * 11 * 60_000)),
        transactionValue: 5 + index,
      }),
    );
    await honest.reportConfirmed([large]);
    await attacker.reportConfirmed([...small, large]);
  },
  'several good outcomes within minutes': async (_, honest, attacker) => {
    await honest.reportConfirmed(oneJob);
    const burst = many(9, (index) => by(`stranger-${index}`, { completedAt: iso(at(4, index * 50_000)) }));
    await attacker.reportConfirmed([...oneJob, ...burst]);
  },
  'a new id after breaches': async (_, honest, attacker) => {
    const since = many(4, (index) => by(`client-${index}`, job(2 + index * 5)));
    await honest.reportConfirmed([
      ...many(5, (index) => by(`former-${index}`, breach(30 + index * 9))),
      ...since,
    ]);
    await attacker.reportConfirmed(since);
  },
  'a breach dated back three years': async (_, honest, attacker) => {
    const work = many(12, (index) => by(`client-${index}`, job(4 + index * 20)));
    await honest.reportConfirmed([...work, by('client-9', breach(2))]);
    await attacker.reportConfirmed([...work, by('client-9', breach(1095))]);
  },
  'due dates moved behind the completion': async (_, honest, attacker) => {
    const late = many(20, (index) => ({ daysAgo: 2 + index * 9, client: `client-${index}` }));
    const due = (daysAgo: number, hours: number) => ({ dueDate: iso(at(daysAgo) + hours * HOUR_MS) });
    await honest.reportConfirmed(
      late.map(({ daysAgo, client }) => by(client, job(daysAgo, due(daysAgo, -20 - (daysAgo % 31))))),
    );
    await attacker.reportConfirmed(
      late.map(({ daysAgo, client }) => by(client, job(daysAgo, due(daysAgo, 0.1)))),
    );
  },
  'own name in other spellings': async (_, honest, attacker) => {
    await honest.reportConfirmed(oneJob);
    const spellings = [
      attacker.id.toUpperCase(),
      ` ${attacker.id}.`,
      `mailto:${attacker.id}`,
      `"${attacker.id}"`,
    ];
    const praise = many(20, (index) => by(spellings[index % spellings.length] ?? '', job(2 + index * 8)));
    await attacker.reportConfirmed([...oneJob, ...praise]);
  },
  'invented names, each once': async (_, honest, attacker) => {
    await honest.reportConfirmed(oneJob);
    await attacker.reportConfirmed([
      ...oneJob,
      ...many(20, (index) => by(`Invented ${index} Ltd`, job(2 + index * 8))),
    ]);
  },
  'confirmations answered by the asker': async (_, honest, attacker) => {
    await honest.reportConfirmed(oneJob);
    await attacker.reportConfirmed(oneJob);
    for (const index of many(12, (place) => place)) {
      await attacker.confirm(job(2 + index * 8), `alias-${index}`, 'of the asker');
    }
  },
};
