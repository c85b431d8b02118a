import { readFileSync } from 'node:fs';
import { queuedKinds } from '#ledger/log/queue.js';
import { columnCheats, of } from './columnCheats.js';

/** Who can find a cheat. */
export const watchers = ['audit', 'receipt', 'checkpoint', 'witness'] as const;
export type Watcher = (typeof watchers)[number];

/** Who notices which cheat, by the table in docs/PROOFS.md. */
export function whoNotices(): Map<string, Watcher[]> {
  const page = readFileSync(new URL('../../../../docs/PROOFS.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split(/^## Who notices what$/m);
  const lines = (section.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return new Map(
    lines.slice(2).map((line) => {
      const [name = '', ...cells] = line.slice(2, -2).split(' | ');
      return [name, watchers.filter((_, index) => cells[index] === 'yes')];
    }),
  );
}

/** The subject whose record is falsified: six events, the last two later than the backup. */
export const USER = 'worker-1';
const SUBJECT = `(select subject_id from subject where external_id = '${USER}')`;
const OF_SUBJECT = of(USER);
const BREACH = `${OF_SUBJECT} and position = 2`;
const LAST_SCORE = `${OF_SUBJECT} and snapshot_no = (select max(snapshot_no) from score_snapshot ${OF_SUBJECT})`;
const GOOD_INSTEAD = `update event set event_type = 'CONTRACT_FULFILLED' ${BREACH}`;

/** The facts that the log lacks become leaves again. */
const QUEUE_ALL = `insert into log_queue (subject_ids, kinds, queued_at)
  select array_agg(subject_id), ${queuedKinds.all}, now() from subject where livemode`;

/** The log begins again with the facts as they are now: new salts, a new tree, the same key. */
const LOG_AGAIN = [
  'delete from log_fact',
  'delete from log_block',
  'delete from log_checkpoint',
  'with queued as (delete from log_queue) delete from log_note',
  "update log_state set tree_size = 0, complete_until = '1970-01-01', signed_head = null",
  QUEUE_ALL,
];

/** The tree of the backup, without the facts behind it. */
const TRUNCATE = [
  'delete from log_fact where leaf_index >= (select tree_size from earlier_state)',
  'delete from log_block',
  'insert into log_block select * from earlier_block',
  'update log_state set tree_size = (select tree_size from earlier_state)',
];

const INVENTED = '0195f3c2-7b1e-8c40-8d21-5f0c9b7a1e34';

/** The leaves of the subject become those of another one, which seems to be erased. */
const GIVE_AWAY = [
  `insert into subject (subject_id, platform_id, livemode, record_id, event_count, last_activity_at, registered_at, is_scored)
   select '${INVENTED}', platform_id, true, '${INVENTED}', event_count, last_activity_at, registered_at, true
   from subject ${OF_SUBJECT}`,
  ...['event', 'tally', 'score_snapshot'].map(
    (table) => `insert into ${table}
      select (json_populate_record(t, json_build_object('subject_id', '${INVENTED}'))).* from ${table} t ${OF_SUBJECT}`,
  ),
  `update score_snapshot set positions = replace(positions::text, ${SUBJECT}::text, '${INVENTED}')::json
   where subject_id = '${INVENTED}'`,
  // The ids of the copies are in leaves that nobody can open any more.
  `update event set event_id = overlay(event_id::text placing '0' from 36 for 1)::uuid where subject_id = '${INVENTED}'`,
  `update log_fact set subject_id = '${INVENTED}', salt = null ${OF_SUBJECT} and kind in (1, 2)`,
  `insert into erasure (subject_id, platform_id, livemode, at, events)
   select '${INVENTED}', platform_id, true, now(), event_count from subject ${OF_SUBJECT}`,
  `insert into log_queue (subject_ids, kinds, queued_at) select array['${INVENTED}'::uuid], ${queuedKinds.others}, now()`,
];

/** Everything about the subject as if an event had never been; its facts are queued for the log. */
const deriveWithout = (position: number) => [
  `delete from tally ${OF_SUBJECT} and day = (
     select (completed_at at time zone 'UTC')::date - date '1970-01-01' from event ${OF_SUBJECT} and position = ${position}
   )`,
  `delete from event_text ${OF_SUBJECT}
     and event_id = (select event_id from event ${OF_SUBJECT} and position = ${position})`,
  `delete from event ${OF_SUBJECT} and position = ${position}`,
  `with later as (update event set position = position - 1 ${OF_SUBJECT} and position > ${position})
   update subject set event_count = event_count - 1,
     last_activity_at = (select max(completed_at) from event ${OF_SUBJECT}) ${OF_SUBJECT}`,
  `delete from score_snapshot ${OF_SUBJECT}`,
  `delete from score ${OF_SUBJECT}`,
  `insert into recompute_queue (record_id, enqueued_at) select ${SUBJECT}, now()`,
  `insert into log_queue (subject_ids, kinds, queued_at) select array[${SUBJECT}], ${queuedKinds.all}, now()`,
];

/** One more score, which differs from the last one in a column. */
const publish = (column: string, value: string) => [
  `insert into score_snapshot
   select (json_populate_record(s, json_build_object('${column}', ${value}, 'snapshot_no', s.snapshot_no + 1))).*
   from score_snapshot s ${OF_SUBJECT} order by snapshot_no desc limit 1`,
  `update score s set ${column} = ${value}, snapshot_no = snapshot_no + 1 ${OF_SUBJECT}`,
  `insert into log_queue (subject_ids, kinds, queued_at) select array[${SUBJECT}], 2, now()`,
];

/** What the operator runs, with triggers disabled. The names are those of docs/PROOFS.md: the operator … */
export const cheats: Readonly<Record<string, readonly string[]>> = {
  'deletes a subject with all that is known of it': [
    ...['event', 'event_text', 'tally', 'score', 'score_snapshot', 'subject'].map(
      (table) => `delete from ${table} ${OF_SUBJECT}`,
    ),
  ],
  'deletes an event': [`delete from event ${BREACH}`],
  'changes an event': [GOOD_INSTEAD],
  'changes a text': [
    `update event_text set metadata = '{"note":"other"}' ${OF_SUBJECT}
       and event_id = (select event_id from event ${BREACH})`,
  ],
  'changes a date': [`update event set completed_at = completed_at - interval '1 year' ${BREACH}`],
  'swaps two events': [`update event set position = 5 - position ${OF_SUBJECT} and position in (2, 3)`],
  'changes a salt': [
    `update log_fact set salt = decode(repeat('00', 16), 'hex') ${OF_SUBJECT} and kind = 1 and ref = 2`,
  ],
  'drops a salt, as an erasure does, and changes the event': [
    `update log_fact set salt = null ${OF_SUBJECT} and kind = 1 and ref = 2`,
    GOOD_INSTEAD,
  ],
  'gives an invented, erased subject the old leaves, and logs the ledger again without a breach': [
    ...GIVE_AWAY,
    ...deriveWithout(2),
  ],
  'logs a breach away as that of an erased subject with fewer events': [
    ...GIVE_AWAY,
    `update erasure set events = events - 1 where subject_id = '${INVENTED}'`,
    ...deriveWithout(2),
  ],
  'changes a published score': [`update score_snapshot set final_score = 99 ${LAST_SCORE}`],
  'changes the reasons of a published score': [
    `update score_snapshot set reason_codes = '{"adverse":[],"supporting":["STRONG_COMPLETION_RATE"]}' ${LAST_SCORE}`,
  ],
  'publishes a score that the facts do not give, and logs it': publish('final_score', '99'),
  'publishes a score as of another day, and logs it': publish('as_of', 's.as_of - 1'),
  'changes the explanation of a score': [
    `update score set detail = jsonb_set(detail::jsonb, '{record,breaches}', '0')::json ${OF_SUBJECT}`,
  ],
  'freezes a score without a fact': [`update score set frozen_at = now() ${OF_SUBJECT}`],
  'changes what the history says that a score was before': [
    `update score_snapshot set previous_score = 99 ${OF_SUBJECT} and snapshot_no = 2`,
  ],
  'marks revoked credentials as valid again': ['update status_entry set revoked_at = null'],
  'changes an event and the commitment of its leaf': [
    GOOD_INSTEAD,
    `update log_fact set d = decode(repeat('11', 32), 'hex') ${OF_SUBJECT} and kind = 1 and ref = 2`,
  ],
  'truncates the log and keeps its checkpoints': TRUNCATE,
  'loses the key of the log': ["delete from signing_key where purpose = 'log'"],
  ...columnCheats,
};

/** After these more events are reported, until the log is larger than before. */
export const growingCheats: typeof cheats = {
  'truncates the log with its checkpoints and lets it grow past its old size': [
    ...TRUNCATE,
    'delete from log_checkpoint where tree_size > (select tree_size from earlier_state)',
    QUEUE_ALL,
    'update log_state set signed_head = (select note from log_checkpoint order by tree_size desc limit 1)',
  ],
  'deletes all checkpoints with the head file': ['delete from log_checkpoint'],
  'deletes all checkpoints with the head file, truncates the log and lets it grow': [
    ...TRUNCATE,
    'delete from log_checkpoint',
    QUEUE_ALL,
  ],
  'deletes an event, then derives, logs and signs everything again': [...deriveWithout(6), ...LOG_AGAIN],
};

/** Played on the backup. */
export const RESTORE = 'restores an old backup and lets it grow past its old size';
/** Takes two services. */
export const FORK = 'shows one reader another log from now on';
