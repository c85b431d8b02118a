import type { Queryable } from '../../kit/db/database.js';
import { isGlobal } from '../groups/tables.js';

/**
 * What the application's role may do with a table, if another role owns the schema. Every role may
 * read every table. Nobody but the owner may truncate, or create and disable triggers.
 */
export type Privileges = 'read' | 'all' | LedgerPrivileges;

interface LedgerPrivileges {
  readonly insert?: true;
  /** Only these columns. */
  readonly update?: readonly string[];
  readonly delete?: true;
}

const append: LedgerPrivileges = { insert: true };

/**
 * A decision for each table. The ledger and its log: only what the code needs, so that a program
 * with the application's password cannot rewrite the past. A test compares this list with the
 * migrated schema.
 */
export const tablePrivileges: Readonly<Record<string, Privileges>> = {
  // An append counts and locks the subject; the facts that define it never change.
  subject: {
    insert: true,
    update: [
      'subject_type',
      'record_id',
      'event_count',
      'last_activity_at',
      'velocity_cleared_at',
      'is_scored',
      'is_own',
      'declaration_no',
    ],
  },
  event: append,
  // Retention and erasure drop texts.
  event_text: { insert: true, delete: true },
  event_text_hash: { insert: true, delete: true },
  // Erasure empties facts; a trigger refuses other changes.
  declaration_fact: { insert: true, update: ['facts'] },
  erasure: append,
  subject_link: append,
  freeze_fact: append,
  // A dispute ends once.
  dispute: { insert: true, update: ['status', 'lapsed', 'resolved_at', 'outcome_event_id'] },
  setting_in_force: append,
  tally: { insert: true, update: ['count'] },
  // Retention marks what it has looked at.
  score_snapshot: { insert: true, update: ['is_kept'] },

  log_queue: { insert: true, delete: true },
  log_state: {
    update: ['tree_size', 'complete_until', 'walk_after', 'is_ledger_queued', 'halted', 'signed_head'],
  },
  // Erasure drops salts; a trigger refuses other values.
  log_fact: { insert: true, update: ['salt'] },
  // A trigger refuses changes of hashes that are set.
  log_block: { insert: true, update: ['filled', 'hashes'] },
  log_checkpoint: { insert: true, update: ['cosignatures', 'published_at'] },
  log_note: append,
  log_witness: 'all',
  witnessed_log: 'all',

  schema_migration: 'read',
  // Only the newest results are kept.
  audit_run: { insert: true, delete: true },

  // Derived from the ledger, and compared with it by the audit.
  score: 'all',
  recompute_queue: 'all',
  recompute_failure: 'all',
  remote_member: 'all',
  tally_outbox: 'all',
  record_freeze: 'all',
  group_commit: 'all',

  platform: 'all',
  // Citus locks the groups as if it changed them where a platform or a key is written.
  ledger_group: 'all',
  api_key: 'all',
  activity: 'all',
  usage_daily: 'all',
  quota_usage: 'all',
  quota_warning: 'all',
  idempotency: 'all',
  item_key: 'all',
  envelope: 'all',
  outbox_queue: 'all',
  signing_key: 'all',
  job: 'all',
  worker_heartbeat: 'all',
  webhook: 'all',
  delivery: 'all',
  notification_channel: 'all',
  monitor: 'all',
  policy: 'all',
  stream_seat: 'all',
  link_token: 'all',
  qualification: 'all',
  project: 'all',
  witness_token: 'all',
  activation_campaign: 'all',
  confirmation: 'all',
  erasure_work: 'all',
  reference_request: 'all',
  share_token: 'all',
  status_list: 'all',
  status_entry: 'all',
  credential_offer: 'all',
  wallet_nonce: 'all',
  benchmark_member: 'all',
  benchmark_edition: 'all',
  benchmark_own: 'all',
  analytics_event_day: 'all',
  analytics_outcome_day: 'all',
  analytics_score_day: 'all',
  analytics_score_part: 'all',
  book_histogram: 'all',
  analytics_progress: 'all',
  screening: 'all',
  screening_chunk: 'all',
  backtest: 'all',
  import_job: 'all',
  import_issue: 'all',
  import_chunk: 'all',
  saved_mapping: 'all',
  installation: 'all',
  ledger_cluster: 'all',
  status_sample: 'all',
  console_session: 'all',
  console_sign_in: 'all',
};

/** Functions that run with the rights of the owner. */
export const ownerFunctions = [
  'delete_test_subjects(uuid)',
  'delete_test_facts(uuid[])',
  'delete_test_erasures(uuid[])',
  'clear_erased_subject(uuid)',
  'delete_decay_snapshots(uuid[], integer[])',
] as const;

/** As `grant` reads it, without `select`. Empty: reading only. */
export function grantedText(privileges: Privileges): string {
  if (privileges === 'read') return '';
  if (privileges === 'all') return 'insert, update, delete';
  return [
    ...(privileges.insert ? ['insert'] : []),
    ...(privileges.update ? [`update (${privileges.update.join(', ')})`] : []),
    ...(privileges.delete ? ['delete'] : []),
  ].join(', ');
}

/** Whole-table privileges that would let the role rewrite or bypass the ledger. */
export function forbiddenPrivileges(privileges: Privileges): string[] {
  if (privileges === 'all') return [];
  const isDeletable = privileges !== 'read' && privileges.delete;
  return ['UPDATE', ...(isDeletable ? [] : ['DELETE']), 'TRUNCATE', 'TRIGGER'];
}

/** Those of the tables in the schema of a handle's ledger group: the shared ones are in the first alone. */
export function privilegesIn({ ledgers }: Pick<Queryable, 'ledgers'>): [table: string, Privileges][] {
  return Object.entries(tablePrivileges).filter(([table]) => ledgers.own === 0 || !isGlobal(table));
}
