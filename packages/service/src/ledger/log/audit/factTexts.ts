import { factKinds } from '../kinds.js';

/**
 * SQL for the canonical JSON of facts as facts.ts makes them. The audit lets the database hash it, and
 * makes a fact again in this process only where the commitment differs: no other text gives the same
 * commitment, so a form that these texts do not know costs time and nothing else. Without them the audit
 * is half as fast (docs/benchmarks/tried.md).
 */

const quoted = (text: string) => `coalesce('"' || ${text} || '"', 'null')`;
/** Null for infinity, of which to_char makes null: it must not pass for a date that is missing. */
const moment = (time: string) =>
  `case when ${time} is null then 'null' when isfinite(${time})
     then to_char(${time} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""') end`;
const base64 = (bytes: string) => quoted(`encode(${bytes}, 'base64')`);
const plain = (number: string) => `trim_scale(${number})::text`;

type Field = readonly [name: string, text: string];

function jsonOf(fields: readonly Field[]): string {
  const texts = fields.map(([name, text], index) => `'${index === 0 ? '{' : ','}"${name}":' || ${text}`);
  return `${texts.join(' || ')} || '}'`;
}

/**
 * Metadata with its outer names in order. The service stores no white space, so most metadata is then
 * canonical; what is nested may not be.
 */
const metadata = `case json_typeof(t.metadata) when 'object' then coalesce(
    (select '{' || string_agg(to_json(m.key) || ':' || m.value, ',' order by m.key collate "C") || '}' from json_each(t.metadata) m),
    '{}'
  ) else t.metadata::text end`;

/** Of the text of an event `t`. */
const freeText = `'{' || concat_ws(',', '"attester":' || to_json(t.attester), '"metadata":' || ${metadata},
  '"transactionValue":' || ${plain('t.transaction_value')}) || '}'`;

/** Of the text of an event under the salt of `log_fact f`, or what is left of it as `r`. */
const textHash = `case when num_nulls(t.metadata, t.transaction_value, t.attester) = 3 then ${base64('r.text_hash')}
  else ${base64(`sha256(f.salt || convert_to(${freeText}, 'UTF8'))`)} end`;

/** Of `event e`, which follows the commitment `previous`. */
const eventText = (previous: string) =>
  jsonOf([
    ['at', moment('e.created_at')],
    ['closes', quoted('e.closes_event_id::text')],
    ['completeUntil', moment('f.complete_until')],
    ['completedAt', moment('e.completed_at')],
    ['dueDate', moment('e.due_date')],
    ['eventId', quoted('e.event_id::text')],
    ['eventType', quoted('e.event_type')],
    ['isVerified', 'e.is_verified::text'],
    ['kind', `'"event"'`],
    ['platformId', quoted('e.platform_id::text')],
    ['platformTier', quoted('e.platform_tier')],
    ['position', 'e.position::text'],
    ['previous', base64(previous)],
    ['stakeLevel', quoted('e.stake_level')],
    ['subject', quoted('e.subject_id::text')],
    ['textHash', textHash],
  ]);

/** Of the subjects that `score_snapshot n` counts. Without those in other ledger groups, so these are not certain. */
const members = `(
  select '[' || string_agg('{"chain":' || ${base64('counted.chain')} || ',"position":' || position || '}', ','
    order by encode(counted.chain, 'base64') collate "C", position::integer) || ']'
  from json_each_text(n.positions) as of_member (member_id, position) cross join lateral (
    select case position when '0' then decode(repeat('00', 32), 'hex') else (
      select h.chain from log_fact h
      where h.subject_id = member_id::uuid and h.kind = ${factKinds.event} and h.ref = position::integer
    ) end as chain
  ) counted
)`;

/** Of `score_snapshot n`. */
const snapshotText = () =>
  jsonOf([
    ['asOf', quoted(`to_char(date '1970-01-01' + n.as_of, 'YYYY-MM-DD')`)],
    ['at', moment('n.computed_at')],
    ['confidence', plain('n.confidence')],
    ['finalScore', plain('n.final_score')],
    ['formulaVersion', quoted('n.formula_version')],
    ['kind', `'"snapshot"'`],
    ['members', members],
    ['scoreBand', quoted('n.score_band')],
    ['subject', quoted('n.subject_id::text')],
  ]);

const isCommitted = (text: string) => `sha256(f.salt || convert_to(${text}, 'UTF8')) = f.d`;

/** Whether the commitment of `log_fact f` is to this event, with its text `t` or what is left of it, `r`. Null or false: not certain. */
export const eventIsCommitted = (previous: string) => isCommitted(eventText(previous));

/** Whether the commitment of `log_fact f` is to this snapshot. Null or false: not certain. */
export const snapshotIsCommitted = () => isCommitted(snapshotText());
