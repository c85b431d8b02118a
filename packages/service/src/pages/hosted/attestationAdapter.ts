import type { ConfirmableEventType } from '../../domain/catalogues/enums.js';
import type { QualificationKind } from '../../domain/qualificationKinds.js';
import type { Answerer } from '../../features/attestation/attestations/answerEvidence.js';
import type { RequestStatus } from '../../features/attestation/attestations/attestation.js';

/** The data of a hosted page: a confirmation or a reference. */
export interface HostedRequest {
  readonly status: RequestStatus;
  readonly platformName: string;
  /** The platform's id of the subject. */
  readonly subject: string;
  readonly counterpartyName: string | null;
  readonly entry: Entry;
  readonly expiresAt: Date;
  readonly respondedAt: Date | null;
  readonly returnUrl: string | null;
  readonly livemode: boolean;
}

/** The entry or claim to confirm. */
export type Entry =
  | {
      readonly kind: 'confirmation';
      readonly eventType: ConfirmableEventType;
      readonly description: string;
      readonly value: number | null;
      readonly due: Date | null;
      readonly completed: Date | null;
    }
  | {
      readonly kind: 'reference';
      readonly claim: QualificationKind;
      readonly title: string;
      readonly organization: string | null;
      /** A date, or a timestamp in UTC. */
      readonly startDate: string | null;
      readonly endDate: string | null;
      readonly description: string | null;
    };

/** Reads and answers requests of one kind. Both methods throw the kind's error codes. A wrong token is checked first. */
export interface AttestationAdapter {
  /** First segment of the addresses: `/confirm/{id}`. */
  readonly path: 'confirm' | 'reference';
  readonly tokenError: 'CONFIRMATION_TOKEN_INVALID' | 'REFERENCE_TOKEN_INVALID';
  readonly stateError: 'CONFIRMATION_NOT_PENDING' | 'REFERENCE_NOT_PENDING';
  readonly selfError: 'CONFIRMATION_SELF' | 'REFERENCE_SELF';
  show(id: string, token: unknown): Promise<HostedRequest>;
  answer(id: string, token: unknown, decision: unknown, answerer: Answerer): Promise<unknown>;
}
