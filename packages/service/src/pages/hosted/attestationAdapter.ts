import type { ConfirmableEventType } from '#domain/catalogues/enums.js';
import type { QualificationKind } from '#domain/verifiedProfile.js';
import type { AttestationStatus } from '../../features/attestation/attestations/attestation.js';
import type { AttestationKind, KindTypes } from '../../features/attestation/attestations/kind.js';
import type { Answerer, SentAnswer } from '../../features/attestation/attestations/respond.js';

/** The data of a hosted page: a confirmation or a reference. */
export interface HostedRequest {
  readonly status: AttestationStatus;
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
      /** By which the counterparty knows the subject. */
      readonly subjectName: string | null;
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

/**
 * Reads and answers requests of one kind. Both methods throw the kind's error codes. A wrong token
 * is checked first.
 */
export interface AttestationAdapter {
  /** The pages are at `/confirm/{id}`. */
  readonly pagePath: AttestationKind<KindTypes>['pagePath'];
  readonly errors: AttestationKind<KindTypes>['errors'];
  show(id: string, token: unknown): Promise<HostedRequest>;
  answer(id: string, sent: SentAnswer, answerer: Answerer): Promise<unknown>;
}
