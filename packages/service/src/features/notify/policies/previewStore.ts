import type { Components, ScoreBand } from '@reliability/scoring';
import { type Observed, observedOf } from '#domain/crossings.js';
import type { PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import type { Queryable } from '#kit/db/database.js';

/** A range of the subjects of a platform, by external id, and the condition to check. */
export interface PreviewSlice {
  platformId: string;
  livemode: boolean;
  condition: PolicyTerms;
  from: Date;
  to: Date;
  /** Null: all subjects. */
  subjectId: string | null;
  afterExternalId: string;
  /** Number of scored subjects to check. */
  size: number;
}

/** A scored subject of a slice, with its published figures. */
export interface BookSubject {
  subjectId: string;
  recordId: string;
  externalId: string;
  observed: Observed;
  finalScore: number;
  scoreBand: ScoreBand;
  totalEvents: number;
}

/** The scored subjects of a slice, by external id. */
export async function findBookSlice(db: Queryable, slice: PreviewSlice): Promise<BookSubject[]> {
  const { platformId, livemode, condition, subjectId, afterExternalId, size } = slice;
  const rows = await db.query<BookSubject & { verifiedEvents: number; components: Components | null }>(
    `select s.subject_id, s.record_id, s.external_id, c.final_score, c.score_band, c.total_events, c.verified_events,
       case when $6 then c.detail -> 'components' end as components
     from subject s join score c using (subject_id)
     where s.platform_id = $1 and s.livemode = $2 and s.external_id > $3 and ($4::uuid is null or s.subject_id = $4)
     order by s.external_id limit $5`,
    [platformId, livemode, afterExternalId, subjectId, size, condition.metric === 'component'],
  );
  return rows.map(({ verifiedEvents, components, ...row }) => {
    const state = { score: row.finalScore, band: row.scoreBand, verifiedEvents, components };
    return { ...row, observed: observedOf(condition, state) };
  });
}

/** The scored subjects of a platform and mode, up to `limit`, and the events behind their scores. */
export async function sizeOfBook(
  db: Queryable,
  platformId: string,
  livemode: boolean,
  limit: number,
): Promise<{ subjects: number; events: number }> {
  const [row] = await db.query<{ subjects: number; events: number }>(
    `select count(*)::integer as subjects, coalesce(sum(total_events), 0)::bigint as events from (
       select total_events from score where platform_id = $1 and livemode = $2 limit $3
     ) as scored`,
    [platformId, livemode, limit],
  );
  return row ?? { subjects: 0, events: 0 };
}

export async function hasSubject(db: Queryable, subjectId: string): Promise<boolean> {
  return (await db.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}
