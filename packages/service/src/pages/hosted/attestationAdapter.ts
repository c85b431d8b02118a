import type { ConfirmableEventType } from '../../domain/catalogues/enums.js';
import type { QualificationKind } from '../../domain/qualificationKinds.js';
import type { Answerer } from '../../features/attestation/answerEvidence.js';
import type { RequestStatus } from '../../features/attestation/attestationRequest.js';

/** What a hosted page says of a request, a confirmation's or a reference's. */
export interface HostedRequest {
  readonly status: RequestStatus;
  readonly platformName: string;
  /** The platform's own id of whom it is about. */
  readonly subject: string;
  readonly counterpartyName: string | null;
  readonly entry: Entry;
  readonly expiresAt: Date;
  readonly respondedAt: Date | null;
  readonly returnUrl: string | null;
  readonly livemode: boolean;
}

/** What is said to be so. */
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

/** Where the requests of one kind are read and answered. Both throw the kind's codes: a wrong token before anything else. */
export interface AttestationAdapter {
  /** Of the addresses: `/confirm/{id}`. */
  readonly path: 'confirm' | 'reference';
  readonly tokenFault: 'CONFIRMATION_TOKEN_INVALID' | 'REFERENCE_TOKEN_INVALID';
  readonly stateFault: 'CONFIRMATION_NOT_PENDING' | 'REFERENCE_NOT_PENDING';
  readonly selfFault: 'CONFIRMATION_SELF' | 'REFERENCE_SELF';
  show(id: string, token: unknown): Promise<HostedRequest>;
  answer(id: string, token: unknown, decision: unknown, answerer: Answerer): Promise<unknown>;
}
