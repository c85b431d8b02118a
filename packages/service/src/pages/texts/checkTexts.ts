/**
 * The page /check, for people who received a credential, a receipt or the proof of a score. What the
 * checks say is in browser/check.
 */
export interface CheckTexts {
  readonly title: string;
  readonly kind: string;
  readonly heading: string;
  readonly lead: string;
  readonly privacy: string;
  /** For readers without a script. */
  readonly withoutScript: readonly string[];
  readonly textLabel: string;
  readonly fileLabel: string;
  readonly dropHint: string;
  readonly button: string;
  readonly whatHeading: string;
  /** What can be checked, and what for. */
  readonly what: readonly (readonly [name: string, meaning: string])[];
}
