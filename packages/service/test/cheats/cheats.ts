import type { Database, Tx } from '#kit/db/database.js';
import { runScript } from '#kit/db/transaction.js';
import { queuedKinds } from '#ledger/log/queue.js';
import { queueAll } from '../ledger/log/logDeps.js';
import { columnCheats } from './columnCheats.js';

/** Who can find a cheat. */
export const watchers = ['audit', 'receipt', 'checkpoint', 'witness'] as const;
export type Watcher = (typeof watchers)[number];

/** What a cheat starts from. */
export interface Scene {
  /** A copy of the database from earlier, when the log was smaller. */
  backup: Database;
  /** The subject whose record is falsified: six events, the last two later than the backup. */
  subjectId: string;
  /** Leaves in the backup. */
  backupSize: number;
}

export interface Cheat {
  /** As in the table of docs/PROOFS.md: the operator … */
  name: string;
  /** What the operator runs, with triggers disabled. */
  play(tx: Tx, scene: Scene): Promise<void>;
  /** Starts the service on the backup instead. */
  isRestore?: true;
  /** Reports more events afterwards, until the log is larger than before. */
  growsOn?: true;
  noticedBy: readonly Watcher[];
}

const OF_SUBJECT = 'where subject_id = $1';

/** One statement about the subject. */
function statement(text: string): Cheat['play'] {
  return async (tx, { subjectId }) => {
    await tx.execute(text, [subjectId]);
  };
}

/** The log begins again with the facts as they are now: new salts, a new tree, the same key. */
async function logAgain(tx: Tx): Promise<void> {
  await runScript(
    tx,
    `delete from log_fact; delete from log_block; delete from log_checkpoint; delete from log_note; delete from log_queue;
     update log_state set tree_size = 0, complete_until = '1970-01-01', signed_head = null;
     insert into log_queue (subject_ids, kinds, queued_at) select array[subject_id], ${queuedKinds.all}, now() from subject where livemode`,
  );
}

/** The tree of the backup, without the facts and checkpoints behind it. */
async function truncate(tx: Tx, { backup, backupSize }: Scene): Promise<void> {
  await tx.execute('delete from log_fact where leaf_index >= $1', [backupSize]);
  await tx.execute('delete from log_block');
  const blocks = await backup.query<{ level: number; blockIndex: number; filled: number; hashes: Buffer }>(
    'select level, block_index, filled, hashes from log_block',
  );
  for (const { level, blockIndex, filled, hashes } of blocks) {
    await tx.execute('insert into log_block (level, block_index, filled, hashes) values ($1, $2, $3, $4)', [
      level,
      blockIndex,
      filled,
      hashes,
    ]);
  }
  await tx.execute('update log_state set tree_size = $1', [backupSize]);
}

const INVENTED = '0195f3c2-7b1e-8c40-8d21-5f0c9b7a1e34';

/** The leaves of the subject become those of another one, which seems to be erased. */
async function giveAway(tx: Tx, subjectId: string): Promise<void> {
  const copied = (table: string) =>
    `insert into ${table} select (json_populate_record(t, json_build_object('subject_id', '${INVENTED}'))).* from ${table} t ${OF_SUBJECT}`;
  for (const text of [
    `insert into subject (subject_id, platform_id, livemode, record_id, event_count, last_activity_at, registered_at, is_scored)
     select '${INVENTED}', platform_id, true, '${INVENTED}', event_count, last_activity_at, registered_at, true
     from subject ${OF_SUBJECT}`,
    ...['event', 'tally', 'score_snapshot'].map(copied),
    `update score_snapshot set positions = replace(positions::text, $1::text, '${INVENTED}')::json
     where subject_id = '${INVENTED}' and $1::uuid is not null`,
    // The ids of the copies are in leaves that nobody can open any more.
    `update event set event_id = overlay(event_id::text placing '0' from 36 for 1)::uuid
     where subject_id = '${INVENTED}' and $1::uuid is not null`,
    `update log_fact set subject_id = '${INVENTED}', salt = null ${OF_SUBJECT} and kind in (1, 2)`,
    `insert into erasure (subject_id, platform_id, livemode, at, events)
     select '${INVENTED}', platform_id, true, now(), event_count from subject ${OF_SUBJECT}`,
    `insert into log_queue (subject_ids, kinds, queued_at) select array['${INVENTED}'::uuid], ${queuedKinds.others}, now() where $1::uuid is not null`,
  ]) {
    await tx.execute(text, [subjectId]);
  }
}

/** Everything about the subject as if an event had never been; its facts are queued for the log. */
async function deriveAgain(tx: Tx, subjectId: string, position: number): Promise<void> {
  for (const text of [
    `delete from tally ${OF_SUBJECT} and day = (
       select (completed_at at time zone 'UTC')::date - date '1970-01-01' from event ${OF_SUBJECT} and position = ${position}
     )`,
    `delete from event_text ${OF_SUBJECT}
       and event_id = (select event_id from event ${OF_SUBJECT} and position = ${position})`,
    `delete from event ${OF_SUBJECT} and position = ${position}`,
    `update event set position = position - 1 ${OF_SUBJECT} and position > ${position}`,
    `update subject set event_count = event_count - 1, last_activity_at = (
       select max(completed_at) from event ${OF_SUBJECT}
     ) ${OF_SUBJECT}`,
    `delete from score_snapshot ${OF_SUBJECT}`,
    `delete from score ${OF_SUBJECT}`,
    `insert into recompute_queue (record_id, enqueued_at) select $1::uuid, now()`,
    `insert into log_queue (subject_ids, kinds, queued_at) select array[$1::uuid], ${queuedKinds.all}, now()`,
  ]) {
    await tx.execute(text, [subjectId]);
  }
}

export const cheats: readonly Cheat[] = [
  {
    name: 'deletes a subject with all that is known of it',
    async play(tx, { subjectId }) {
      for (const table of ['event', 'event_text', 'tally', 'score', 'score_snapshot', 'subject']) {
        await tx.execute(`delete from ${table} ${OF_SUBJECT}`, [subjectId]);
      }
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'deletes an event',
    play: statement(`delete from event ${OF_SUBJECT} and position = 2`),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes an event',
    play: statement(`update event set event_type = 'CONTRACT_FULFILLED' ${OF_SUBJECT} and position = 2`),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes a text',
    play: statement(
      `update event_text set metadata = '{"note":"other"}' ${OF_SUBJECT}
         and event_id = (select event_id from event ${OF_SUBJECT} and position = 2)`,
    ),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes a date',
    play: statement(
      `update event set completed_at = completed_at - interval '1 year' ${OF_SUBJECT} and position = 2`,
    ),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'swaps two events',
    play: statement(`update event set position = 5 - position ${OF_SUBJECT} and position in (2, 3)`),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes a salt',
    play: statement(
      `update log_fact set salt = decode(repeat('00', 16), 'hex') ${OF_SUBJECT} and kind = 1 and ref = 2`,
    ),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'drops a salt, as an erasure does, and changes the event',
    async play(tx, { subjectId }) {
      await tx.execute(`update log_fact set salt = null ${OF_SUBJECT} and kind = 1 and ref = 2`, [subjectId]);
      await tx.execute(`update event set event_type = 'CONTRACT_FULFILLED' ${OF_SUBJECT} and position = 2`, [
        subjectId,
      ]);
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'gives an invented, erased subject the old leaves, and logs the ledger again without a breach',
    async play(tx, scene) {
      await giveAway(tx, scene.subjectId);
      await deriveAgain(tx, scene.subjectId, 2);
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'logs a breach away as that of an erased subject with fewer events',
    async play(tx, { subjectId }) {
      await giveAway(tx, subjectId);
      await tx.execute(`update erasure set events = events - 1 where subject_id = '${INVENTED}'`);
      await deriveAgain(tx, subjectId, 2);
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes a published score',
    play: statement(
      `update score_snapshot set final_score = 99 ${OF_SUBJECT}
         and snapshot_no = (select max(snapshot_no) from score_snapshot ${OF_SUBJECT})`,
    ),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes the reasons of a published score',
    play: statement(
      `update score_snapshot set reason_codes = '{"adverse":[],"supporting":["STRONG_COMPLETION_RATE"]}' ${OF_SUBJECT}
         and snapshot_no = (select max(snapshot_no) from score_snapshot ${OF_SUBJECT})`,
    ),
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'publishes a score that the facts do not give, and logs it',
    async play(tx, { subjectId }) {
      await tx.execute(
        `insert into score_snapshot
         select (json_populate_record(s, json_build_object('final_score', 99, 'snapshot_no', s.snapshot_no + 1))).*
         from score_snapshot s ${OF_SUBJECT} order by snapshot_no desc limit 1`,
        [subjectId],
      );
      await tx.execute(`update score set final_score = 99, snapshot_no = snapshot_no + 1 ${OF_SUBJECT}`, [
        subjectId,
      ]);
      await tx.execute(
        'insert into log_queue (subject_ids, kinds, queued_at) values (array[$1::uuid], 2, now())',
        [subjectId],
      );
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'publishes a score as of another day, and logs it',
    async play(tx, { subjectId }) {
      await tx.execute(
        `insert into score_snapshot
         select (json_populate_record(s, json_build_object('as_of', s.as_of - 1, 'snapshot_no', s.snapshot_no + 1))).*
         from score_snapshot s ${OF_SUBJECT} order by snapshot_no desc limit 1`,
        [subjectId],
      );
      await tx.execute(`update score set as_of = as_of - 1, snapshot_no = snapshot_no + 1 ${OF_SUBJECT}`, [
        subjectId,
      ]);
      await tx.execute(
        'insert into log_queue (subject_ids, kinds, queued_at) values (array[$1::uuid], 2, now())',
        [subjectId],
      );
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'changes the explanation of a score',
    play: statement(
      `update score set detail = jsonb_set(detail::jsonb, '{record,breaches}', '0')::json ${OF_SUBJECT}`,
    ),
    noticedBy: ['audit'],
  },
  {
    name: 'freezes a score without a fact',
    play: statement(`update score set frozen_at = now() ${OF_SUBJECT}`),
    noticedBy: ['audit'],
  },
  {
    name: 'changes what the history says that a score was before',
    play: statement(`update score_snapshot set previous_score = 99 ${OF_SUBJECT} and snapshot_no = 2`),
    noticedBy: ['audit'],
  },
  {
    name: 'marks revoked credentials as valid again',
    async play(tx) {
      await tx.execute('update status_entry set revoked_at = null');
    },
    noticedBy: ['audit'],
  },
  {
    name: 'changes an event and the commitment of its leaf',
    async play(tx, { subjectId }) {
      await tx.execute(`update event set event_type = 'CONTRACT_FULFILLED' ${OF_SUBJECT} and position = 2`, [
        subjectId,
      ]);
      await tx.execute(
        `update log_fact set d = decode(repeat('11', 32), 'hex') ${OF_SUBJECT} and kind = 1 and ref = 2`,
        [subjectId],
      );
    },
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'truncates the log and keeps its checkpoints',
    play: truncate,
    noticedBy: ['audit', 'receipt'],
  },
  {
    name: 'truncates the log with its checkpoints and lets it grow past its old size',
    async play(tx, scene) {
      await truncate(tx, scene);
      await tx.execute('delete from log_checkpoint where tree_size > $1', [scene.backupSize]);
      await queueAll(tx);
      await tx.execute(
        `update log_state set
           signed_head = (select note from log_checkpoint order by tree_size desc limit 1)`,
      );
    },
    growsOn: true,
    noticedBy: ['receipt', 'checkpoint', 'witness'],
  },
  {
    name: 'deletes all checkpoints with the head file',
    async play(tx) {
      await tx.execute('delete from log_checkpoint');
    },
    growsOn: true,
    noticedBy: ['audit', 'receipt', 'checkpoint'],
  },
  {
    name: 'deletes all checkpoints with the head file, truncates the log and lets it grow',
    async play(tx, scene) {
      await truncate(tx, scene);
      await tx.execute('delete from log_checkpoint');
      await queueAll(tx);
    },
    growsOn: true,
    noticedBy: ['audit', 'receipt', 'checkpoint'],
  },
  {
    name: 'loses the key of the log',
    async play(tx) {
      await tx.execute("delete from signing_key where purpose = 'log'");
    },
    noticedBy: ['audit'],
  },
  {
    name: 'restores an old backup and lets it grow past its old size',
    play: async () => {},
    isRestore: true,
    growsOn: true,
    noticedBy: ['receipt', 'checkpoint', 'witness'],
  },
  {
    name: 'deletes an event, then derives, logs and signs everything again',
    async play(tx, { subjectId }) {
      await deriveAgain(tx, subjectId, 6);
      await logAgain(tx);
    },
    growsOn: true,
    noticedBy: ['receipt', 'checkpoint', 'witness'],
  },
  ...columnCheats,
];

/** Played by itself, because it takes two services. */
export const fork = {
  name: 'shows one reader another log from now on',
  noticedBy: ['witness'] as readonly Watcher[],
};

/** The rows of the table in docs/PROOFS.md. */
export function tableRows(seen: readonly { name: string; noticedBy: readonly Watcher[] }[]): string[][] {
  return seen.map(({ name, noticedBy }) => [
    name,
    ...watchers.map((watcher) => (noticedBy.includes(watcher) ? 'yes' : 'no')),
  ]);
}
