import type { Queryable } from '../../kit/db/database.js';
import { isGlobal } from '../groups/tables.js';

const ALL = 'insert, update, delete';

/** Tables that the application writes as it likes: what is derived from the ledger, and all else. */
const WRITABLE = `
  score recompute_queue recompute_failure remote_member tally_outbox record_freeze group_commit
  log_witness witnessed_log idempotency item_key job worker_heartbeat signing_key installation ledger_cluster
  platform ledger_group api_key activity usage_daily quota_usage quota_warning console_session console_sign_in
  envelope outbox_queue webhook delivery notification_channel monitor policy stream_seat status_sample
  link_token qualification project erasure_work share_token status_list status_entry credential_offer wallet_nonce
  confirmation reference_request witness_token activation_campaign
  benchmark_member benchmark_edition benchmark_own screening screening_chunk backtest
  analytics_event_day analytics_outcome_day analytics_score_day analytics_score_part analytics_progress book_histogram
  import_job import_issue import_chunk saved_mapping`;

const append = 'insert';

/**
 * What the application's role may do with each table besides reading, as `grant` reads it, if another role
 * owns the schema. The ledger and its log: only what the code needs, so that a program with the
 * application's password cannot rewrite the past. Nobody but the owner may truncate, or create and
 * disable triggers. A test compares this list with the migrated schema.
 */
export const tablePrivileges: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    WRITABLE.trim()
      .split(/\s+/)
      .map((table) => [table, ALL]),
  ),
  // An append counts and locks the subject; the facts that define it never change.
  subject:
    'insert, update (subject_type, record_id, event_count, last_activity_at, velocity_cleared_at, is_scored, is_own, declaration_no)',
  event: append,
  // Retention and erasure drop texts.
  event_text: 'insert, delete',
  event_text_hash: 'insert, delete',
  // Erasure empties facts; a trigger refuses other changes.
  declaration_fact: 'insert, update (facts)',
  erasure: append,
  subject_link: append,
  freeze_fact: append,
  // A dispute ends once.
  dispute: 'insert, update (status, lapsed, resolved_at, outcome_event_id)',
  setting_in_force: append,
  tally: 'insert, update (count)',
  // Retention marks what it has looked at.
  score_snapshot: 'insert, update (is_kept)',

  log_queue: 'insert, delete',
  log_state: 'update (tree_size, complete_until, halted, signed_head)',
  // Erasure drops salts; a trigger refuses other values.
  log_fact: 'insert, update (salt)',
  // A trigger refuses changes of hashes that are set.
  log_block: 'insert, update (filled, hashes)',
  log_checkpoint: 'insert, update (cosignatures, published_at)',
  log_note: append,

  schema_migration: '',
  // Only the newest results are kept.
  audit_run: 'insert, delete',
};

/** Functions that run with the rights of the owner. */
export const ownerFunctions = [
  'delete_test_subjects(uuid)',
  'delete_test_facts(uuid[])',
  'delete_test_erasures(uuid[])',
  'clear_erased_subject(uuid)',
  'delete_decay_snapshots(uuid[], integer[])',
] as const;

/** Whole-table privileges that would let the role rewrite or bypass the ledger. */
export function forbiddenPrivileges(privileges: string): string[] {
  if (privileges === ALL) return [];
  return ['UPDATE', ...(privileges.endsWith('delete') ? [] : ['DELETE']), 'TRUNCATE', 'TRIGGER'];
}

/** Those of the tables in the schema of a handle's ledger group: the shared ones are in the first alone. */
export function privilegesIn({ ledgers }: Pick<Queryable, 'ledgers'>): [table: string, privileges: string][] {
  return Object.entries(tablePrivileges).filter(([table]) => ledgers.own === 0 || !isGlobal(table));
}
