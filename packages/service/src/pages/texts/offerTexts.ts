import type { ServiceCredentialType } from '../../ledger/issuing/forms.js';
import type { PageText } from './verifyTexts.js';

/** The page of a credential offer, for the person whom it is about. Times are passed in as text. */
export interface OfferTexts {
  readonly title: string;
  readonly kind: string;
  heading(credential: string): string;
  lead(platform: string): string;
  readonly wallet: string;
  /** The credential and what is in it. */
  readonly credentials: Readonly<Record<ServiceCredentialType, readonly [name: string, content: string]>>;
  readonly scan: string;
  /** The text alternative of the QR code. */
  readonly qrLabel: string;
  readonly open: string;
  readonly openNote: string;
  /** The wallet asks for digits that the person has from elsewhere. */
  readonly txCode: string;
  until(moment: string): string;
  /** Before the remaining minutes and seconds. */
  readonly left: string;
  readonly notesHeading: string;
  readonly notes: readonly string[];
  /** A wallet has taken it. */
  readonly taken: PageText;
  /** Unknown, expired or withdrawn. */
  readonly ended: PageText;
}
