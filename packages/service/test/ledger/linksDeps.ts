import { randomUUID } from 'node:crypto';
import type { OutcomeEvent } from '#domain/outcomeEvent.js';
import { differencesIn } from '#harness/differencesIn.js';
import { type Clock, systemClock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { exchangeTallies } from '#ledger/links/exchange.js';
import { linkSubjects, unlinkSubject } from '#ledger/links/links.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { addPlatform, append, ledgerOn, outcome, recomputeQueued } from './deps.js';

export type LinkBench = ReturnType<typeof linkBench>;

export interface Linkable {
  id: string;
  platformId: string;
  name: string;
  /** Its ledger group. */
  group: number;
}

export const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true } as const;

/**
 * Live subjects without a web server. Default: one platform for each.
 * @param groups the handles of all ledger groups, which get the platforms in turn.
 */
export function linkBench(
  db: Database,
  clock: Clock = systemClock,
  velocityMaxPerHour = 500,
  groups: readonly Database[] = [db],
) {
  const ids = createIdSource();
  const ledgers = groups.map((each) => ledgerOn(each, clock));
  const [ledger = ledgerOn(db, clock)] = ledgers;
  const homes = new Map<string, number>();
  let added = 0;
  const act = () => ({ ids, now: clock.now(), actor: 'key:of-the-tests', velocityMaxPerHour });
  const placed = ({ id, group }: Linkable) => ({ subjectId: id, group });
  const handleOf = ({ group }: Linkable) => groups[group] ?? db;

  /** Adds a subject without events, as the registration of an agent does. */
  async function add(platformId: string = randomUUID()): Promise<Linkable> {
    const known = await db.shared.query('select 1 from platform where platform_id = $1', [platformId]);
    if (known.length === 0) await addPlatform(db, platformId, groups);
    const group = homes.get(platformId) ?? homes.size % groups.length;
    homes.set(platformId, group);
    added += 1;
    const name = `linkable-${added}`;
    const subject = { id: subjectIdOf(platformId, true, name), platformId, name, group };
    await handleOf(subject).execute(
      `insert into subject (subject_id, platform_id, livemode, external_id, record_id, registered_at)
       values ($1, $2, true, $3, $1, $4)`,
      [subject.id, platformId, name, clock.now()],
    );
    return subject;
  }

  async function report({ platformId, name, group }: Linkable, events: readonly Partial<OutcomeEvent>[]) {
    const reporter = { platformId, livemode: true, trustTier: 'GROWTH' } as const;
    const outcomes = events.map((event) => outcome({ ...event, externalId: name }));
    await append(ledgers[group] ?? ledger, outcomes, reporter);
  }

  const linkIn = async (tx: Tx, joining: Linkable, host: Linkable) =>
    (await linkSubjects(tx, act(), placed(joining), placed(host))).platforms;

  async function recomputeOnce(): Promise<number> {
    let count = 0;
    for (const each of groups) count += await recomputeQueued(each, clock, velocityMaxPerHour);
    for (const each of groups) await exchangeTallies(each, groups, clock.now());
    return count;
  }

  return {
    db,
    ledger,
    /** The rows of all ledger groups. */
    async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      return (await Promise.all(groups.map((each) => each.query<Row>(text, values)))).flat();
    },
    add,
    /** Adds a subject with this number of verified outcomes. */
    async addWith(count: number): Promise<Linkable> {
      const subject = await add();
      await report(subject, Array(count).fill(good));
      return subject;
    },
    report,
    linkIn,
    link: (joining: Linkable, host: Linkable) =>
      handleOf(joining).transaction((tx) => linkIn(tx, joining, host)),
    async unlink(subject: Linkable): Promise<void> {
      await handleOf(subject).transaction((tx) => unlinkSubject(tx, act(), placed(subject)));
    },
    /** Recomputes every queued record once, in several groups until nothing is queued. */
    async recompute(): Promise<void> {
      while ((await recomputeOnce()) > 0 && groups.length > 1);
    },
    audit: () => differencesIn(db, groups),
  };
}

export interface ScoreState {
  recordId: string;
  isScored: boolean;
  finalScore: number | null;
  totalEvents: number | null;
  ownEvents: number | null;
  snapshotNo: number | null;
  frozenAt: Date | null;
}

export async function stateOf(db: Database, { id }: Linkable): Promise<ScoreState> {
  const [row] = await db.query<ScoreState>(
    `select s.record_id, s.is_scored, c.final_score, c.total_events, c.own_events, c.snapshot_no, c.frozen_at
     from subject s left join score c using (subject_id) where s.subject_id = $1`,
    [id],
  );
  if (!row) throw new Error(`there is no subject ${id}`);
  return row;
}
