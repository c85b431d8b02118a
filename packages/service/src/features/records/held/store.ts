import { fail } from '#domain/errors.js';
import type { Queryable } from '#kit/db/database.js';
import { LOWEST_ID } from '#kit/ids.js';
import { occurredAtOf } from '#ledger/reads/eventRow.js';
import { textOf } from '#ledger/text/eventText.js';
import type { HeldHead, ListName, ListRow } from './schemas.js';

type Subject = Pick<HeldHead, 'userId' | 'displayName' | 'subjectType' | 'registeredAt'>;

/** Throws NOT_FOUND for a subject that was erased since its link was opened. */
export async function readSubject(db: Queryable, subjectId: string): Promise<Subject> {
  const [row] = await db.query<Subject>(
    `select external_id as user_id, display_name, subject_type, registered_at
     from subject where subject_id = $1 and external_id is not null`,
    [subjectId],
  );
  return row ?? fail('NOT_FOUND');
}

export async function readContact(db: Queryable, platformId: string): Promise<HeldHead['platform']> {
  const [row] = await db.shared.query<HeldHead['platform']>(
    'select platform_id as id, name, contact, privacy_url from platform where platform_id = $1',
    [platformId],
  );
  return row ?? fail('NOT_FOUND');
}

/** Rows of one subject: `$1` is its id, `$2` the key of the row before, `$3` the limit. */
interface List {
  readonly key: string;
  readonly type: 'uuid' | 'integer';
  readonly columns: string;
  readonly from: string;
}

/** A name that the platform gave, never its own reference of a counterparty; of those who did not confirm, none. */
const NAMED_CONFIRMER = "case when r.status = 'CONFIRMED' then r.counterparty_name end as confirmed_by";

const byId = (table: string, key: string, columns: string): List => ({
  key: `r.${key}`,
  type: 'uuid',
  columns,
  from: `${table} r`,
});
const byNumber = (table: string, key: string, columns: string): List => ({
  ...byId(table, key, columns),
  type: 'integer',
});

const lists: Readonly<Record<ListName, List>> = {
  outcomes: {
    ...byId(
      'event',
      'event_id',
      `r.event_id, r.event_type, ${occurredAtOf('r')} as occurred_at, r.stake_level, r.is_verified, t.attester as confirmed_by,
       t.transaction_value, r.due_date, r.completed_at, r.created_at as recorded_at, r.imported,
       coalesce(d.dispute_id, r.dispute_id) as dispute_id`,
    ),
    from: `event r left join dispute d on d.subject_id = r.subject_id and d.event_id = r.event_id ${textOf('r')}`,
  },
  history: byNumber(
    'score_snapshot',
    'snapshot_no',
    `r.final_score, r.score_band, r.confidence, r.behavioral_quality, r.total_events, r.verified_events,
     r.previous_score, r.reason, r.formula_version, r.computed_at`,
  ),
  disputes: byId(
    'dispute',
    'dispute_id',
    'r.dispute_id, r.event_id, r.status, r.lapsed, r.opened_at, r.respond_by, r.resolved_at, r.outcome_event_id',
  ),
  reviews: byId(
    'review',
    'review_id',
    `r.review_id, r.event_id, r.status, r.text, r.outcome, r.answer, r.reviewer, r.opened_at, r.respond_by,
     r.answered_at`,
  ),
  confirmations: byId(
    'confirmation',
    'confirmation_id',
    `r.confirmation_id, r.event_type, r.stake_level, r.transaction_value, r.due_date, r.completed_at, r.event_id,
     r.status, ${NAMED_CONFIRMER}, r.created_at, r.expires_at, r.responded_at`,
  ),
  references: byId(
    'reference_request',
    'reference_id',
    `r.reference_id, r.kind, r.title, r.organization, r.start_date, r.end_date, r.qualification_id,
     r.status, ${NAMED_CONFIRMER}, r.created_at, r.expires_at, r.responded_at`,
  ),
  qualifications: {
    ...byId(
      'qualification',
      'qualification_id',
      `r.qualification_id, r.event_type, r.title, r.issuer, r.start_date, r.end_date, r.issued_at, r.expires_at,
       r.url, r.is_verified, r.created_at,
       case when r.reference_id is not null then asked.counterparty_name when r.is_verified then r.verified_by end as confirmed_by`,
    ),
    from: `qualification r left join reference_request asked
      on asked.platform_id = r.platform_id and asked.reference_id = r.reference_id`,
  },
  projects: byId(
    'project',
    'project_id',
    'r.project_id, r.title, r.url, r.description, r.started_at, r.completed_at, r.created_at',
  ),
  declarations: byNumber('declaration_fact', 'number', 'r.facts, r.declared_at'),
  links: byNumber('subject_link', 'position', 'r.action, r.at'),
  freezes: byNumber('freeze_fact', 'number', 'r.action, r.at'),
  monitors: byId(
    'monitor',
    'monitor_id',
    'r.below_score, r.above_score, r.on_band_change, r.is_active, r.created_at',
  ),
  shareTokens: byId('share_token', 'token_id', 'r.include_profile, r.created_at, r.withdrawn_at'),
  recordLinks: byId('record_link', 'record_link_id', 'r.created_at, r.expires_at, r.withdrawn_at'),
  activity: byId('activity', 'activity_id', 'r.action, r.at'),
};

const PAGE_ROWS = 500;

/** All rows of a list in the order of their keys, which is that of writing, page by page. */
export async function* pagesOf<Name extends ListName>(
  db: Queryable,
  subjectId: string,
  name: Name,
): AsyncGenerator<ListRow<Name>[]> {
  const { key, type, columns, from } = lists[name];
  const statement = `select ${key} as key, ${columns} from ${from}
    where r.subject_id = $1 and ${key} > $2::${type} order by ${key} limit $3`;
  for (let after: string | number = type === 'uuid' ? LOWEST_ID : 0; ; ) {
    const page: (ListRow<Name> & { key: string | number })[] = await db.query(statement, [
      subjectId,
      after,
      PAGE_ROWS,
    ]);
    if (page.length > 0) yield page.map(({ key: _, ...row }) => row as unknown as ListRow<Name>);
    after = page.at(-1)?.key ?? after;
    if (page.length < PAGE_ROWS) return;
  }
}

/**
 * Outcomes with the names that the platform gave (as ledger/reads/confirmedBy.ts): an answered
 * confirmation attests by the platform's own reference. A query of its own for each page: without
 * statistics, a join reads all confirmations of the subject for each outcome.
 */
export async function* outcomePages(db: Queryable, subjectId: string): AsyncGenerator<ListRow<'outcomes'>[]> {
  for await (const page of pagesOf(db, subjectId, 'outcomes')) {
    const asked = await db.query<{ eventId: string; counterpartyName: string | null }>(
      'select event_id, counterparty_name from confirmation where subject_id = $1 and event_id = any($2::uuid[])',
      [subjectId, page.map(({ eventId }) => eventId)],
    );
    const names = new Map(asked.map(({ eventId, counterpartyName }) => [eventId, counterpartyName]));
    yield page.map(({ confirmedBy, ...outcome }) => ({
      ...outcome,
      confirmedBy: names.has(outcome.eventId) ? (names.get(outcome.eventId) ?? null) : confirmedBy,
    }));
  }
}
