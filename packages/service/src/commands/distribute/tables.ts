/** Where a table's rows live once the schema is spread over several machines. */
export type Placement =
  /** Sharded by the hash of one column. Tables of a group are colocated. */
  | { kind: 'distributed'; by: string; group: Group }
  /** Copied to every machine: small, rarely written, joined with everything. */
  | { kind: 'reference' }
  /** Only on the coordinator. */
  | { kind: 'local' };

/** The other tables of a group are colocated with its first table. */
export type Group =
  | 'subject'
  | 'activity'
  | 'idempotency'
  | 'item_key'
  | 'benchmark_member'
  | 'witness_token';

export interface TableFact {
  readonly placement: Placement;
  readonly reason: string;
  /**
   * Enforced by triggers on one machine, by privileges on Citus, which refuses tables with
   * triggers.
   */
  readonly isAppendOnly?: true;
  /** Of an append-only table: rows may be deleted, for erasure and retention. */
  readonly mayDelete?: true;
  /** The one column of an append-only table that an erasure empties. */
  readonly erasedColumn?: string;
}

const bySubject: Placement = { kind: 'distributed', by: 'subject_id', group: 'subject' };
const byPlatform: Placement = { kind: 'distributed', by: 'platform_id', group: 'activity' };
const reference: Placement = { kind: 'reference' };
const local: Placement = { kind: 'local' };

/**
 * Every table of the schema in the order of distribution: the first of a group before the others, a
 * table before those that reference it. A test compares this list with the migrated schema.
 */
export const tableFacts: Readonly<Record<string, TableFact>> = {
  platform: { placement: reference, reason: 'few, read by every request' },
  api_key: {
    placement: reference,
    reason: 'few, looked up by hash; refers to platform, and is unique by a column of its own',
  },
  webhook: { placement: reference, reason: 'few, joined with the queue of deliveries' },
  notification_channel: { placement: reference, reason: 'few, joined with the queue of deliveries' },
  monitor: {
    placement: reference,
    reason: 'capped per platform; read beside the subjects of every recompute',
  },
  policy: {
    placement: reference,
    reason: 'capped per platform; read beside the subjects of every recompute',
  },

  subject: { placement: bySubject, reason: 'the heart of the ledger: a big platform spreads, too' },
  event: { placement: bySubject, isAppendOnly: true, reason: 'with its subject, whose row counts it' },
  event_text: {
    placement: bySubject,
    isAppendOnly: true,
    mayDelete: true,
    reason: 'with the event that it is the text of',
  },
  event_text_hash: {
    placement: bySubject,
    isAppendOnly: true,
    mayDelete: true,
    reason: 'with the event whose text it replaces',
  },
  tally: { placement: bySubject, reason: 'with its subject, written by the append' },
  score: { placement: bySubject, reason: 'with its subject, whose tallies it is computed from' },
  score_snapshot: { placement: bySubject, reason: 'with the score that it is a state of' },
  declaration_fact: {
    placement: bySubject,
    isAppendOnly: true,
    erasedColumn: 'facts',
    reason: 'with the subject that it is about',
  },
  dispute: { placement: bySubject, reason: 'with the event that it is about' },
  share_token: { placement: bySubject, reason: 'with the subject whose score it shows' },
  freeze_fact: {
    placement: bySubject,
    isAppendOnly: true,
    reason: 'with the subject whose score it freezes',
  },
  subject_link: { placement: bySubject, isAppendOnly: true, reason: 'with the subject that joined or left' },
  erasure: { placement: bySubject, isAppendOnly: true, reason: 'with the subject that was erased' },
  qualification: { placement: bySubject, reason: 'with the subject that has it' },
  project: { placement: bySubject, reason: 'with the subject that presents it' },

  activity: { placement: byPlatform, reason: 'grows with what platforms do; read by one platform at a time' },
  usage_daily: { placement: byPlatform, reason: 'grows with platforms and days' },
  quota_usage: { placement: byPlatform, reason: 'grows with platforms and months' },
  quota_warning: { placement: byPlatform, reason: 'with the usage that it warns of' },
  envelope: { placement: byPlatform, reason: 'grows with what happens; streams read one platform at a time' },
  delivery: { placement: byPlatform, reason: 'with the envelopes that were sent; grows with attempts' },
  saved_mapping: { placement: byPlatform, reason: 'up to 64 KiB each; read by one platform at a time' },

  import_job: { placement: byPlatform, reason: 'grows with platforms; read by one platform at a time' },
  import_issue: { placement: byPlatform, reason: 'with the import that it is about' },
  screening: { placement: byPlatform, reason: 'grows with platforms; read by one platform at a time' },
  screening_chunk: { placement: byPlatform, reason: 'with the screening that it is a part of' },

  backtest: { placement: byPlatform, reason: 'grows with platforms; read by one platform at a time' },

  analytics_event_day: { placement: byPlatform, reason: 'grows with platforms and days' },
  analytics_outcome_day: { placement: byPlatform, reason: 'grows with platforms and days' },
  analytics_score_day: { placement: byPlatform, reason: 'grows with platforms and days' },
  analytics_progress: { placement: byPlatform, reason: 'with the sums whose end it says' },
  activation_campaign: { placement: byPlatform, reason: 'with the requests that are its rows' },
  confirmation: {
    placement: byPlatform,
    reason: 'grows with platforms; answered with a token that names the platform',
  },
  reference_request: {
    placement: byPlatform,
    reason: 'grows with platforms; read by one platform at a time',
  },

  benchmark_own: { placement: byPlatform, reason: 'grows with platforms; read by one platform at a time' },

  benchmark_member: {
    placement: { kind: 'distributed', by: 'record_id', group: 'benchmark_member' },
    reason: 'a row for each record of the live universe, rewritten once a day',
  },
  idempotency: {
    placement: { kind: 'distributed', by: 'key_id', group: 'idempotency' },
    reason: 'found by key alone; the key is a hash, so it spreads evenly',
  },
  item_key: {
    placement: { kind: 'distributed', by: 'key_id', group: 'item_key' },
    reason: 'found by key before the subject is known; as many as events',
  },

  witness_token: {
    placement: { kind: 'distributed', by: 'token_hash', group: 'witness_token' },
    reason: 'found by hash before the platform is known; as many as requests',
  },

  erasure_work: { placement: local, reason: 'a handful: what the jobs of erasures look for' },
  recompute_queue: { placement: local, reason: 'a queue: short, claimed with skip locked' },
  log_queue: { placement: local, reason: 'a queue: short, read by one sequencer' },
  log_state: { placement: local, reason: 'one row, which the sequencer locks' },
  log_fact: {
    placement: local,
    isAppendOnly: true,
    erasedColumn: 'salt',
    reason: 'one tree: numbered by one sequencer',
  },
  log_block: { placement: local, isAppendOnly: true, reason: 'one tree: written by one sequencer' },
  log_checkpoint: { placement: local, isAppendOnly: true, reason: 'one tree: signed by one sequencer' },
  log_note: { placement: local, isAppendOnly: true, reason: 'a handful, about the log itself' },
  log_witness: { placement: local, reason: 'a handful, written by one worker' },
  witnessed_log: { placement: local, reason: 'a row for each log of others that is witnessed' },
  recompute_failure: { placement: local, reason: 'a handful, read beside the queue' },
  import_chunk: { placement: local, reason: 'what is still to be done: gone when the import is over' },
  job: { placement: local, reason: 'a queue: short, claimed with skip locked' },
  outbox_queue: { placement: local, reason: 'a queue: short, claimed with skip locked' },
  benchmark_edition: { placement: local, reason: 'two editions of few rows, read whole' },
  link_token: { placement: local, reason: 'lives for hours and is used once' },
  credential_offer: { placement: local, reason: 'lives for minutes and is taken up once' },
  wallet_nonce: { placement: local, reason: 'lives for minutes' },
  status_list: { placement: local, reason: 'one for each hundred thousand share tokens' },
  status_entry: { placement: local, reason: 'a few bytes for each share token, written once' },
  stream_seat: { placement: local, reason: 'as many rows as open streams' },
  worker_heartbeat: { placement: local, reason: 'as many rows as workers' },
  status_sample: { placement: local, reason: 'a row a minute, kept for days' },
  installation: { placement: local, reason: 'one row, about the coordinator itself' },
  signing_key: { placement: local, reason: 'a handful; unique by a column of its own' },
  schema_migration: { placement: local, reason: 'what ran on this schema' },
};
