import { randomUUID } from 'node:crypto';
import { dayOf, mergeTallies, occurredAt, type Tally, tallyCodeOf, tallyKeyOf } from '@reliability/scoring';
import pg from 'pg';
import { createIdSource } from '../../../../packages/service/src/kit/ids.js';
import { seededRandom } from '../../../../packages/service/src/kit/seededRandom.js';
import { evaluateRecord } from '../../../../packages/service/src/ledger/recompute/evaluateRecord.js';
import { subjectIdOf } from '../../../../packages/service/src/ledger/subjectId.js';
import { copyInto } from './copyInto.js';
import { multiplyBook } from './multiply.js';
import { drawPeople, type Person } from './people.js';
import {
  type EventLine,
  eventTable,
  type ScoreLine,
  type SnapshotLine,
  type SubjectLine,
  scoreTable,
  searchTable,
  snapshotTable,
  subjectTable,
  type TallyLine,
  TIER,
  tallyTable,
  textTable,
} from './tables.js';
import { withoutIndexes } from './withoutIndexes.js';

export interface BookSizes {
  /** Subjects of the first platform of the database, whose keys are known. */
  readonly subjects: number;
  readonly events: number;
  /** Number of other platforms, each a fiftieth of that size. */
  readonly neighbours: number;
  /** All of it so many times, copied inside the server, which is much faster than to draw a large book. Default: 1. */
  readonly times?: number;
}

export interface SeededBook {
  readonly platformId: string;
  readonly subjects: number;
  readonly events: number;
  readonly seconds: number;
}

/**
 * Fills a database on which the service has been started once: subjects with their ledgers, tallies, scores and snapshots, computed
 * by the real formula. The ledger audits clean.
 */
export async function seedBook(
  databaseUrl: string,
  sizes: BookSizes,
  say: (line: string) => void,
): Promise<SeededBook> {
  const startedAt = performance.now();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const platformId = await findPlatform(client);
    const meanDeeds = Math.max(1, sizes.events / sizes.subjects);
    const { times = 1 } = sizes;
    const now = new Date();
    const books = [{ platformId, count: sizes.subjects }];
    for (let number = 1; number <= sizes.neighbours; number += 1) {
      const neighbour = await addPlatform(client, `Neighbour ${number}`, now);
      books.push({ platformId: neighbour, count: Math.ceil(sizes.subjects / NEIGHBOUR_DIVISOR) });
    }
    const written = { subjects: 0, events: 0 };
    await withoutIndexes(client, SEEDED_TABLES, say, async () => {
      for (const [index, { platformId: owner, count }] of books.entries()) {
        const people = drawPeople(seededRandom(index + 1), { count, meanDeeds, now });
        await fillPlatform(client, owner, people, now, (subjects, events) => {
          written.subjects += subjects;
          written.events += events;
          say(`  seeded ${written.subjects} subjects, ${written.events} events`);
        });
      }
      if (times > 1) await multiplyBook(databaseUrl, times);
    });
    await client.query(`vacuum (analyze) ${SEEDED_TABLES.join(', ')}`);
    return {
      platformId,
      subjects: written.subjects * times,
      events: written.events * times,
      seconds: (performance.now() - startedAt) / 1000,
    };
  } finally {
    await client.end();
  }
}

const NEIGHBOUR_DIVISOR = 50;
const SEEDED_TABLES = [
  subjectTable,
  searchTable,
  eventTable,
  textTable,
  tallyTable,
  scoreTable,
  snapshotTable,
].map(({ name }) => name);
const SUBJECTS_PER_COPY = 2_000;
const SUBJECTS_PER_REPORT = 50_000;

async function findPlatform(client: pg.Client): Promise<string> {
  const { rows } = await client.query('select platform_id from platform order by created_at limit 1');
  const [platform] = rows as { platform_id: string }[];
  if (!platform) throw new Error('the database has no platform: start the service on it once');
  return platform.platform_id;
}

async function addPlatform(client: pg.Client, name: string, now: Date): Promise<string> {
  const id = randomUUID();
  await client.query(
    `insert into platform (platform_id, name, trust_tier, plan, created_at, updated_at)
     values ($1, $2, $3, 'enterprise', $4, $4)`,
    [id, name, TIER, now],
  );
  return id;
}

async function fillPlatform(
  client: pg.Client,
  platformId: string,
  people: Iterable<Person>,
  now: Date,
  onProgress: (subjects: number, events: number) => void,
): Promise<void> {
  const ids = createIdSource();
  const unreported = { subjects: 0, events: 0 };
  const report = () => {
    if (unreported.subjects > 0) onProgress(unreported.subjects, unreported.events);
    unreported.subjects = 0;
    unreported.events = 0;
  };
  let batch = new Batch();
  // The server writes one batch while the next is generated.
  let writing = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = batch.write(client);
    unreported.subjects += batch.subjects.length;
    unreported.events += batch.events.length;
    batch = new Batch();
    if (unreported.subjects >= SUBJECTS_PER_REPORT) report();
    await new Promise(setImmediate); // lets the write start
  };
  for (const person of people) {
    batch.add(platformId, person, now, (at) => ids.at(at));
    if (batch.subjects.length >= SUBJECTS_PER_COPY) await flush();
  }
  await flush();
  await writing;
  report();
}

/** Rows of some subjects, not yet written. */
class Batch {
  readonly subjects: SubjectLine[] = [];
  readonly events: EventLine[] = [];
  readonly #tallies: TallyLine[] = [];
  readonly #scores: ScoreLine[] = [];
  readonly #snapshots: SnapshotLine[] = [];

  add(platformId: string, person: Person, now: Date, idAt: (at: Date) => string): void {
    const subjectId = subjectIdOf(platformId, true, person.externalId);
    const { deeds } = person;
    const facts = deeds.map((deed) => ({ ...deed, platformTier: TIER }) as const);
    const activity = facts.map((fact) => occurredAt(fact).getTime());
    const lastActivityAt = activity.length === 0 ? null : new Date(Math.max(...activity));
    const isScored = deeds.length > 0;
    this.subjects.push({ subjectId, platformId, person, lastActivityAt, isScored });
    deeds.forEach((deed, index) => {
      const eventId = idAt(deed.createdAt);
      this.events.push({ subjectId, platformId, eventId, position: index + 1, deed });
    });
    const tallies = mergeTallies(facts.map((fact) => ({ ...tallyKeyOf(fact), count: 1 })));
    for (const tally of tallies) {
      this.#tallies.push({ subjectId, day: tally.day, code: tallyCodeOf(tally), count: tally.count });
    }
    if (isScored) this.#evaluate({ subjectId, platformId, person, lastActivityAt, isScored }, tallies, now);
  }

  #evaluate(line: SubjectLine, tallies: readonly Tally[], now: Date): void {
    const { person } = line;
    const computed = { asOf: dayOf(now), computedAt: now };
    const frozenAt = person.isFrozen ? now : null;
    const options = { ...computed, reason: null, frozenAt };
    const { scores, snapshots } = evaluateRecord([memberOf(line, tallies)], [], options);
    this.#scores.push(...scores.map((row) => ({ ...row, ...computed })));
    this.#snapshots.push(...snapshots.map((row) => ({ ...row, ...computed })));
  }

  async write(client: pg.Client): Promise<void> {
    await copyInto(client, subjectTable, this.subjects);
    await copyInto(client, searchTable, this.subjects);
    await copyInto(client, eventTable, this.events);
    const withText = this.events.filter(({ deed }) => deed.transactionValue !== null);
    await copyInto(client, textTable, withText);
    await copyInto(client, tallyTable, this.#tallies);
    await copyInto(client, scoreTable, this.#scores);
    await copyInto(client, snapshotTable, this.#snapshots);
  }
}

type Member = Parameters<typeof evaluateRecord>[0][number];

function memberOf(
  { subjectId, platformId, person, lastActivityAt }: SubjectLine,
  tallies: readonly Tally[],
): Member {
  return {
    subjectId,
    externalId: person.externalId,
    recordId: subjectId,
    platformId,
    livemode: true,
    subjectType: person.subjectType,
    displayName: person.displayName,
    eventCount: person.deeds.length,
    lastActivityAt: lastActivityAt,
    registeredAt: person.registeredAt,
    velocityClearedAt: null,
    days: tallies.map(({ day }) => day),
    codes: tallies.map(tallyCodeOf),
    counts: tallies.map(({ count }) => count),
    finalScore: null,
    scoreBand: null,
    confidence: null,
    behavioralQuality: null,
    totalEvents: null,
    verifiedEvents: null,
    factors: null,
    snapshotNo: null,
    position: null,
    frozenAt: null,
    isScored: false,
    isWatched: false,
  };
}
