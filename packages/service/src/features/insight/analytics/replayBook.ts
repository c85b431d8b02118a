import { dayFromIso, replay, type Score, type ScoreBand, scoreBands } from '@reliability/scoring';
import { pointsBetween } from '#domain/points.js';
import { type DayWindow, everyDay } from '#domain/timestamp.js';
import { createYielder } from '#kit/backpressure/yielder.js';
import type { Queryable } from '#kit/db/database.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { readEntriesOfRecords } from '#ledger/reads/recordEntries.js';
import type { Movers } from './schemas.js';
import { countBook, type ScoreDay } from './store.js';

/** The same as `scoresByDay`, of all scores by outcome. Null: the book is too large to be replayed. */
export async function replayDays(
  db: Queryable,
  owner: ModeOwner,
  window: DayWindow,
): Promise<ScoreDay[] | null> {
  const noMoves = () => Object.fromEntries(scoreBands.map((band) => [band, 0])) as ScoreDay['bandNet'];
  const days = everyDay(window, (date) => ({
    date,
    published: 0,
    hundredths: 0,
    bandChanges: 0,
    bandNet: noMoves(),
  }));
  const isWhole = await replayBook(db, owner, window, ({ scores }) => {
    for (const [index, day] of days.entries()) {
      const [before, now] = [scores[index], scores[index + 1]];
      if (now) {
        day.published += 1;
        day.hundredths += Math.round(now.finalScore * 100);
      }
      if (before?.scoreBand === now?.scoreBand) continue;
      if (before) day.bandNet[before.scoreBand] -= 1;
      if (now) day.bandNet[now.scoreBand] += 1;
      if (before && now) day.bandChanges += 1;
    }
  });
  return isWhole ? days : null;
}

/** Whose score by outcome rose and fell most. Null: the book is too large to be replayed. */
export async function replayMovers(
  db: Queryable,
  owner: ModeOwner,
  window: DayWindow,
  limit: number,
): Promise<Pick<Movers, 'up' | 'down'> | null> {
  const moved: Movers['up'] = [];
  const isWhole = await replayBook(db, owner, window, ({ userId, finalScore: to, scoreBand, scores }) => {
    const from = scores.find((score) => score !== null)?.finalScore ?? to;
    if (from !== to) moved.push({ userId, from, to, delta: pointsBetween(from, to), scoreBand });
  });
  if (!isWhole) return null;
  moved.sort((a, b) => b.delta - a.delta);
  return {
    up: moved.filter(({ delta }) => delta > 0).slice(0, limit),
    down: moved
      .filter(({ delta }) => delta < 0)
      .reverse()
      .slice(0, limit),
  };
}

interface ReplayedSubject {
  readonly userId: string;
  /** As published. */
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  /** By outcome, on the day before the window and on each day of it. Null: before the first outcome. */
  readonly scores: readonly (Score | null)[];
}

/** Largest book that is replayed while somebody waits: about a second of a processor. */
const MAX_REPLAYED = { days: 300_000, events: 100_000 };
const SLICE_SUBJECTS = 500;

/**
 * Takes each scored subject of the book, as if every outcome had been known on its day.
 * @returns false if the book is too large. Not all subjects were taken then.
 */
async function replayBook(
  db: Queryable,
  owner: ModeOwner,
  { from, days }: DayWindow,
  take: (subject: ReplayedSubject) => void,
): Promise<boolean> {
  const { scored } = await countBook(db, owner.platformId, owner.livemode);
  if (scored * days > MAX_REPLAYED.days) return false;
  const steps = Array.from({ length: days + 1 }, (_, index) => dayFromIso(from) - 1 + index);
  const yieldTurn = createYielder();
  let events = 0;
  for (let after = ''; ; ) {
    const slice = await findSlice(db, owner, after);
    events += slice.reduce((sum, { totalEvents }) => sum + totalEvents, 0);
    if (events > MAX_REPLAYED.events) return false;
    const entriesOf = await readEntriesOfRecords(db, slice);
    for (const subject of slice) {
      await yieldTurn();
      take({ ...subject, scores: replay(entriesOf(subject.recordId), steps) });
    }
    const last = slice.at(-1);
    if (!last || slice.length < SLICE_SUBJECTS) return true;
    after = last.userId;
  }
}

type SliceRow = Omit<ReplayedSubject, 'scores'> & {
  readonly subjectId: string;
  readonly recordId: string;
  readonly totalEvents: number;
};

/** The next scored subjects, by external id. */
function findSlice(db: Queryable, { platformId, livemode }: ModeOwner, after: string): Promise<SliceRow[]> {
  return db.query(
    `select s.subject_id, s.record_id, s.external_id as user_id, c.final_score, c.score_band, c.total_events
     from subject s join score c using (subject_id)
     where s.platform_id = $1 and s.livemode = $2 and s.external_id > $3
     order by s.external_id limit $4`,
    [platformId, livemode, after, SLICE_SUBJECTS],
  );
}
