import type { ActivityAction } from '../../../domain/activityActions.js';
import type { ErrorCode } from '../../../domain/errorCatalog.js';
import type { Reporter } from '../../../domain/outcomeEvent.js';
import type { Tx } from '../../../kit/db/database.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Attestation, AttestationStatus } from './attestation.js';

/** What the operations on attestations work with. */
export type AttestationDeps = Pick<
  ServiceDeps,
  'config' | 'db' | 'clock' | 'ids' | 'ledger' | 'withIdempotency' | 'signal'
>;

/** Whose requests: one platform's in one mode. */
export interface ModeOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** Who asked, stored with the request to compare the answer with. */
export interface Asker {
  readonly askedByKey: string | null;
  /** Coarse. */
  readonly askedFrom: string | null;
}

/** What a counterparty's answer reads beside the request. */
export interface Asked extends Reporter, Asker {
  readonly subjectId: string;
  readonly platformName: string;
  readonly platformIsActive: boolean;
}

/** The types of a kind. */
export interface KindTypes {
  /** A row. */
  readonly stored: Attestation;
  /** What is written of a row, but not read by its platform. */
  readonly unread: object;
  /** A row as its counterparty's answer finds it. */
  readonly asked: Attestation & Asked;
  /** A row as its platform reads it. */
  readonly response: object;
  /** What the preview shows beside what all kinds show. */
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

/** The table of a kind. Its alias in every statement is `a`. */
export interface AttestationTable<K extends KindTypes> {
  readonly name: 'confirmation' | 'reference_request';
  readonly id: 'confirmation_id' | 'reference_id';
  readonly recordedId: 'event_id' | 'qualification_id';
  /** A row, without its answer. */
  readonly columns: string;
  /** What recording a confirmed request reads beside them. */
  readonly askedColumns: readonly string[];
  /** The columns of a new row that only this table has: name, type, value. */
  readonly newColumns: readonly NewColumn<K>[];
}

export type NewColumn<K extends KindTypes> = readonly [string, string, (draft: Draft<K>) => unknown];

/** What differs between confirmations and references; the rest of this folder is what they share. */
export interface AttestationKind<K extends KindTypes> {
  readonly name: 'confirmation' | 'reference';
  readonly tokenPrefix: 'cft_' | 'rft_';
  /** Of its operations. */
  readonly path: '/confirmations' | '/references';
  /** Of its hosted page. */
  readonly pagePath: '/confirm' | '/reference';
  readonly errors: {
    readonly token: ErrorCode & `${string}_TOKEN_INVALID`;
    readonly state: ErrorCode & `${string}_NOT_PENDING`;
    readonly self: ErrorCode & `${string}_SELF`;
  };
  readonly table: AttestationTable<K>;
  /** The lines of the activity log; null: none. Expiry writes none. */
  readonly activity: {
    readonly actions: Readonly<Record<LoggedStatus, ActivityAction>>;
    detailsOf(attestation: K['stored'], status: LoggedStatus): object;
  } | null;
  toResponse(stored: K['stored'], now: Date): K['response'];
  questionOf(stored: K['stored']): K['question'];
  /** Writes what a confirmed request records, in the transaction of the answer. Answers its id, or throws `errors.self`. */
  record(tx: Tx, deps: RecordDeps, asked: K['asked'], now: Date): Promise<string>;
  /** How answers name what was recorded. */
  readonly recordedId: K['recordedId'];
  /** What it records is an event, so the score follows. */
  readonly movesScore: boolean;
}

/** The status after an act that has a line in the activity log. */
export type LoggedStatus = Exclude<AttestationStatus, 'EXPIRED'>;

export type RecordDeps = Pick<AttestationDeps, 'ids' | 'ledger'>;
