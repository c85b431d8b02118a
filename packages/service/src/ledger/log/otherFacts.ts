import type { Queryable } from '#kit/db/database.js';
import { factKinds, LOG_ITSELF, type OtherFactRow } from './facts.js';

/** RFC 3339 in UTC with milliseconds, as facts have it. */
function isoOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** All facts of subjects other than events and snapshots. They are few. */
const FACTS = `
  select subject_id, ${factKinds.declaration} as kind, number::bigint as ref, facts::text as hashed, json_build_object(
    'kind', 'declaration', 'at', ${isoOf('declared_at')}, 'subject', subject_id, 'number', number, 'isOwn', is_own,
    'afterPosition', after_position) as fact
  from declaration_fact where subject_id = any($1::uuid[]) and livemode
  union all
  select subject_id, ${factKinds.link}, position, null, json_build_object(
    'kind', 'link', 'at', ${isoOf('at')}, 'subject', subject_id, 'position', position, 'action', action, 'record', record_id)
  from subject_link where subject_id = any($1::uuid[])
  union all
  select d.subject_id, ${factKinds.disputeOpened}, e.position, null, json_build_object(
    'kind', 'dispute', 'at', ${isoOf('d.opened_at')}, 'subject', d.subject_id, 'disputeId', d.dispute_id,
    'eventId', d.event_id, 'status', 'OPEN', 'lapsed', false, 'respondBy', ${isoOf('d.respond_by')})
  from dispute d join event e using (subject_id, event_id) where d.subject_id = any($1::uuid[]) and d.livemode
  union all
  select d.subject_id, ${factKinds.disputeEnded}, e.position, null, json_build_object(
    'kind', 'dispute', 'at', ${isoOf('d.resolved_at')}, 'subject', d.subject_id, 'disputeId', d.dispute_id,
    'eventId', d.event_id, 'status', d.status, 'lapsed', d.lapsed)
  from dispute d join event e using (subject_id, event_id)
  where d.subject_id = any($1::uuid[]) and d.livemode and d.status <> 'OPEN'
  union all
  select subject_id, ${factKinds.reviewOpened}, number, null, json_build_object(
    'kind', 'review', 'at', ${isoOf('opened_at')}, 'subject', subject_id, 'reviewId', review_id,
    'eventId', event_id, 'action', 'opened', 'respondBy', ${isoOf('respond_by')})
  from review where subject_id = any($1::uuid[]) and livemode
  union all
  select subject_id, ${factKinds.reviewAnswered}, number, null, json_build_object(
    'kind', 'review', 'at', ${isoOf('answered_at')}, 'subject', subject_id, 'reviewId', review_id,
    'action', 'answered', 'outcome', outcome, 'inTime', answered_at <= respond_by)
  from review where subject_id = any($1::uuid[]) and livemode and status = 'ANSWERED'
  union all
  select subject_id, ${factKinds.freeze}, number, null, json_build_object(
    'kind', 'freeze', 'at', ${isoOf('at')}, 'subject', subject_id, 'action', action)
  from freeze_fact where subject_id = any($1::uuid[])
  union all
  select subject_id, ${factKinds.shareToken}, status_list::bigint * 131072 + status_index, null, json_build_object(
    'kind', 'shareToken', 'at', ${isoOf('withdrawn_at')}, 'subject', subject_id, 'action', 'withdrawn',
    'tokenHash', encode(token_hash, 'base64'))
  from share_token where subject_id = any($1::uuid[]) and withdrawn_at is not null
  union all
  select subject_id, ${factKinds.erasure}, 1, null, json_build_object(
    'kind', 'erasure', 'at', ${isoOf('at')}, 'subject', subject_id, 'events', events)
  from erasure where subject_id = any($1::uuid[]) and livemode
  union all
  select '${LOG_ITSELF}'::uuid, ${factKinds.note}, number, null, fact from log_note where '${LOG_ITSELF}' = any($1::uuid[])`;

/** Those that are not in the log yet. */
export function readUnloggedFacts(db: Queryable, subjectIds: readonly string[], limit: number) {
  if (subjectIds.length === 0) return Promise.resolve([]);
  return db.query<OtherFactRow>(
    // A lateral lookup: with `not exists` the planner has read the whole of a young log for a few facts.
    `select subject_id, kind, ref, fact, hashed from (${FACTS}) known
     left join lateral (
       select true as is_logged from log_fact f
       where f.subject_id = known.subject_id and f.kind = known.kind and f.ref = known.ref limit 1
     ) f on true
     where is_logged is null order by subject_id, kind, ref limit $2`,
    [subjectIds, limit],
  );
}

export function readOtherFacts(db: Queryable, subjectIds: readonly string[]): Promise<OtherFactRow[]> {
  const all = `select subject_id, kind, ref, fact, hashed from (${FACTS}) known`;
  return db.query<OtherFactRow>(all, [subjectIds]);
}
