import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { quietLog } from '#harness/quietLog.js';
import { words } from '#harness/words.js';
import type { Database } from '#kit/db/database.js';
import { announce, createWakes, type Topic } from '#kit/db/wakes.js';
import { useDatabase } from './useDatabase.js';

const ALL =
  words`scores facts jobs envelopes deliveries keys erasures groups cluster traffic pressure` as Topic[];

describe.each(engines)('wakes on %s', (engine) => {
  const opened = useDatabase(engine);
  let db: Database;
  const stops: (() => unknown)[] = [];
  beforeAll(() => {
    db = opened.db;
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  const hasOthers = engine === 'postgresql';

  /** A process that listens to all topics, and what it heard. */
  async function processOn(topics: readonly Topic[] = ALL) {
    const wakes = createWakes(db, quietLog);
    const heard: string[] = [];
    for (const topic of topics)
      wakes.on(topic, (isRaised) => heard.push(isRaised ? topic : `${topic} perhaps`));
    stops.push(await wakes.listen());
    return { wakes, heard };
  }

  /** Notifications arrive in their order: after this one, all earlier ones have. */
  async function settled(...heard: string[][]): Promise<void> {
    await announce(db, 'groups');
    await expect.poll(() => heard.every((each) => each.at(-1) === 'groups')).toBe(true);
    for (const each of heard) each.pop();
  }

  test('a raise wakes its own process at once, and others when they are notified, each of them once', async () => {
    const [own, other] = [await processOn(), await processOn()];
    own.wakes.raise('jobs', 'keys');
    expect(own.heard).toEqual(['jobs', 'keys']);
    if (hasOthers) await expect.poll(() => other.heard).toEqual(['jobs', 'keys']);
    await settled(own.heard, other.heard);
    expect(own.heard).toEqual(['jobs', 'keys']);
    expect(other.heard).toEqual(hasOthers ? ['jobs', 'keys'] : []);
  });

  test('raises within some milliseconds are one short notification', async () => {
    const { wakes } = await processOn([]);
    const payloads: string[] = [];
    stops.push(await db.listen('wakes', (payload) => payloads.push(payload)));
    for (let times = 0; times < 100; times += 1) wakes.raise(...ALL);
    if (hasOthers) await expect.poll(() => payloads.length).toBe(1);
    await announce(db, 'groups');
    await expect.poll(() => payloads.at(-1)).toBe(' groups');
    expect(payloads).toHaveLength(hasOthers ? 2 : 1);
    for (const payload of payloads) expect(payload.length).toBeLessThan(200);
  });

  test('a process that computes scores and keeps the log itself tells no other about them', async () => {
    const [worker, idle, other] = [await processOn(), await processOn([]), await processOn()];
    worker.wakes.raise('scores', 'facts');
    await settled(other.heard);
    expect(other.heard).toEqual([]);
    idle.wakes.raise('scores', 'facts');
    if (hasOthers) await expect.poll(() => other.heard).toEqual(['scores', 'facts']);
  });

  test('a thread that does the work of its process is woken directly, and no other process', async () => {
    const other = await processOn();
    const woken: Topic[] = [];
    const wakes = createWakes(db, quietLog, (topic) => woken.push(topic) > 0);
    wakes.raise('scores', 'facts', 'jobs');
    expect(woken).toEqual(['scores', 'facts']);
    if (hasOthers) await expect.poll(() => other.heard).toEqual(['jobs']);
    await settled(other.heard);
    expect(other.heard).toEqual(hasOthers ? ['jobs'] : []);
  });

  test('an announcement in a transaction is heard at its commit by its own process, too, and never after a rollback', async () => {
    const { heard } = await processOn();
    const failure = db.transaction(async (tx) => {
      await announce(tx, 'keys');
      throw new Error('undo');
    });
    await expect(failure).rejects.toThrow('undo');
    await db.transaction(async (tx) => {
      await announce(tx, 'cluster');
      expect(heard).toEqual([]);
    });
    await settled(heard);
    expect(heard).toEqual(['cluster']);
  });

  test('after a lost connection each listener looks once, and learns that perhaps nothing was raised', async () => {
    const { wakes, heard } = await processOn(['jobs', 'keys']);
    let looked = 0;
    stops.push(
      wakes.on(['envelopes', 'deliveries'], () => {
        looked += 1;
      }),
    );
    await db.notify('wakes'); // what the database sends after a reconnect
    await expect.poll(() => heard.toSorted()).toEqual(['jobs perhaps', 'keys perhaps']);
    expect(looked).toBe(2);
  });

  test('a listener that throws does not affect others, nor the one that raised', async () => {
    const { wakes, heard } = await processOn([]);
    wakes.on('jobs', () => {
      throw new Error('mine');
    });
    const end = wakes.on('jobs', () => heard.push('other'));
    wakes.raise('jobs');
    end();
    wakes.raise('jobs');
    expect(heard).toEqual(['other']);
  });
});
