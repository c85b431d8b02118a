import type { ActivityAction } from '#domain/activityActions.js';
import type { ErrorCode } from '#domain/errorCatalog.js';
import type { Reporter } from '#domain/outcomeEvent.js';
import type { Tx } from '#kit/db/database.js';
import type { Rows } from '#kit/db/rows.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Attestation, AttestationStatus } from './attestation.js';

/** What the operations on attestations work with. */
export type AttestationDeps = Pick<
  ServiceDeps,
  'config' | 'db' | 'clock' | 'ids' | 'erased' | 'ledger' | 'withIdempotency' | 'wakes'
>;

/** Who asked, stored with the request to compare the answer with. */
export interface Asker {
  readonly askedByKey: string | null;
  /** A coarse network: 24 bits of IPv4, 64 of IPv6. */
  readonly askedFrom: string | null;
}

/** What an answer needs beside the request. */
export interface Asked extends Reporter, Asker {
  readonly subjectId: string;
  readonly platformName: string;
  readonly platformIsActive: boolean;
}

/** The types of a kind. */
export interface KindTypes {
  /** A row. */
  readonly stored: Attestation;
  /** The fields of a new row that no response shows. */
  readonly unread: object;
  /** A row as its counterparty's answer finds it. */
  readonly asked: Attestation & Asked;
  /** A row as its platform reads it. */
  readonly response: object;
  /** The fields of the preview that only this kind has. */
  readonly question: object;
  readonly recordedId: 'eventId' | 'qualificationId';
}

/** A new request about to be written, and its token in clear for the response alone. */
export interface Draft<K extends KindTypes> extends ModeOwner, Asker {
  readonly attestation: K['stored'];
  readonly unread: K['unread'];
  readonly subjectId: string;
  readonly token: string;
  readonly tokenHash: Buffer;
}

/** The table of a kind. Every statement gives it the alias `a`. */
export interface AttestationTable {
  readonly name: 'confirmation' | 'reference_request';
  readonly id: 'confirmation_id' | 'reference_id';
  readonly recordedId: 'event_id' | 'qualification_id';
  /** A row, without its answer. */
  readonly columns: string;
  /** Further columns that `record` needs. */
  readonly askedColumns: readonly string[];
  /** What becomes of its texts when they are dropped, beside those that both tables have. */
  readonly withoutText: string;
}

/** What most statements need of a kind. */
export type Tabled = Pick<AttestationKind<KindTypes>, 'name' | 'table'>;

/**
 * What differs between confirmations and references; the rest of this folder is what they share.
 */
export interface AttestationKind<K extends KindTypes> {
  readonly name: 'confirmation' | 'reference';
  readonly tokenPrefix: 'cft_' | 'rft_';
  /** The path of its operations. */
  readonly path: '/confirmations' | '/references';
  /** The path of its hosted page. */
  readonly pagePath: '/confirm' | '/reference';
  readonly errors: {
    readonly token: ErrorCode & `${string}_TOKEN_INVALID`;
    readonly state: ErrorCode & `${string}_NOT_PENDING`;
    readonly self: ErrorCode & `${string}_SELF`;
  };
  readonly table: AttestationTable;
  /** The columns of a new row (newRows). */
  readonly drafts: Rows<Draft<K>>;
  /** The lines of the activity log; null: the kind writes none. Expiry never writes one. */
  readonly activity: {
    readonly actions: Readonly<Record<LoggedStatus, ActivityAction>>;
    detailsOf(attestation: K['stored'], status: LoggedStatus): object;
  } | null;
  toResponse(stored: K['stored'], now: Date): K['response'];
  questionOf(stored: K['stored']): K['question'];
  /**
   * Records what was confirmed, in the transaction of the answer, and returns its id. Throws
   * `errors.self`.
   */
  record(tx: Tx, deps: RecordDeps, asked: K['asked'], now: Date): Promise<string>;
  /** The field of the answer that holds this id. */
  readonly recordedId: K['recordedId'];
  /** True: it records an event, so a recompute follows. */
  readonly movesScore: boolean;
}

/** The status after an act that has a line in the activity log. */
export type LoggedStatus = Exclude<AttestationStatus, 'EXPIRED'>;

export type RecordDeps = Pick<AttestationDeps, 'ids' | 'ledger'>;
