import { randomUUID } from 'node:crypto';
import type { OutcomeEvent } from '../../src/domain/outcomeEvent.js';
import { type Clock, systemClock } from '../../src/kit/clock.js';
import type { Database, Tx } from '../../src/kit/db/database.js';
import { createIdSource } from '../../src/kit/ids.js';
import type { Ledger } from '../../src/ledger/append/append.js';
import { linkSubjects, unlinkSubject } from '../../src/ledger/links/links.js';
import { recomputeRecords } from '../../src/ledger/recompute/recompute.js';
import { subjectIdOf } from '../../src/ledger/subjectId.js';
import { differencesIn } from '../harness/differencesIn.js';
import { addPlatform, append, ledgerOn, outcome } from './deps.js';

/** Live subjects without a web server. Default: one platform for each. */
export interface LinkBench {
  db: Database;
  ledger: Ledger;
  /** Adds a subject without events, as the registration of an agent does. */
  add(platformId?: string): Promise<Linkable>;
  /** Adds a subject with this number of verified outcomes. */
  addWith(count: number): Promise<Linkable>;
  report(subject: Linkable, events: readonly Partial<OutcomeEvent>[]): Promise<void>;
  link(joining: Linkable, host: Linkable): Promise<number>;
  linkIn(tx: Tx, joining: Linkable, host: Linkable): Promise<number>;
  unlink(subject: Linkable): Promise<void>;
  /** Recomputes every queued record once. */
  recompute(): Promise<void>;
  audit(): Promise<string[]>;
}

export interface Linkable {
  id: string;
  platformId: string;
  name: string;
}

export const good = { eventType: 'CONTRACT_FULFILLED', isVerified: true } as const;

export function linkBench(db: Database, clock: Clock = systemClock, velocityMaxPerHour = 500): LinkBench {
  const ids = createIdSource();
  const ledger = ledgerOn(db, clock);
  let added = 0;
  const act = () => ({ ids, now: clock.now(), actor: 'key:of-the-tests', velocityMaxPerHour });
  const bench: LinkBench = {
    db,
    ledger,
    async add(platformId = randomUUID()) {
      const known = await db.query('select 1 from platform where platform_id = $1', [platformId]);
      if (known.length === 0) await addPlatform(db, platformId);
      added += 1;
      const name = `linkable-${added}`;
      const id = subjectIdOf(platformId, true, name);
      await db.execute(
        `insert into subject (subject_id, platform_id, livemode, external_id, record_id, registered_at)
         values ($1, $2, true, $3, $1, $4)`,
        [id, platformId, name, clock.now()],
      );
      return { id, platformId, name };
    },
    async addWith(count) {
      const subject = await bench.add();
      await bench.report(
        subject,
        Array.from({ length: count }, () => good),
      );
      return subject;
    },
    async report({ platformId, name }, events) {
      const reporter = { platformId, livemode: true, trustTier: 'GROWTH' } as const;
      await append(
        ledger,
        events.map((event) => outcome({ ...event, externalId: name })),
        reporter,
      );
    },
    link: (joining, host) => db.transaction((tx) => bench.linkIn(tx, joining, host)),
    linkIn: (tx, joining, host) => linkSubjects(tx, act(), joining.id, host.id),
    unlink: (subject) => db.transaction((tx) => unlinkSubject(tx, act(), subject.id)),
    async recompute() {
      const queued = await db.query<{ recordId: string }>('select distinct record_id from recompute_queue');
      const recordIds = queued.map((row) => row.recordId);
      await recomputeRecords({ db, clock, ids, velocityMaxPerHour }, recordIds);
    },
    async audit() {
      return differencesIn(db);
    },
  };
  return bench;
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
