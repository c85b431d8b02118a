import type { StepName, StepTexts } from '@reliability/proof';

/** Every text of the checks in one language. Readers do not know the service: short sentences, everyday words. */
export interface Texts {
  locale: string;
  titles: {
    credentialGood: string;
    credentialOpen: string;
    forged: string;
    expired: string;
    withdrawn: string;
    logDiffers: string;
    receipt: Verdicts;
    proof: Verdicts;
    notChecked: string;
  };
  marks: { ok: string; failed: string; open: string };
  saysHeading: string;
  findingsHeading: string;
  questions: Record<'issuer' | 'signature' | 'dates' | 'status' | 'held', string>;
  /** The steps of the verifier. */
  steps: Record<StepName, string>;
  /** What the verifier says about them. */
  verifier: StepTexts;
  says: Record<'type' | 'score' | 'asOf' | 'subject' | 'user' | 'event' | 'date' | 'place', string>;
  types: Readonly<Record<string, string>>;
  /** Of bands that have another name than in the credential. */
  bands: Readonly<Record<string, string>>;

  working(done: number, of: number): string;
  empty: string;
  unreadable: string;
  tooLarge: string;
  noWebCrypto: string;
  unreachable: string;
  refused(path: string, status: number): string;
  nobody: string;
  otherIssuer(issuer: string): string;
  otherLog(origin: string): string;
  checkThere(host: string): string;

  issuedBy(address: string): string;
  signed: string;
  unknownKey: string;
  forged: string;
  validUntil(moment: string): string;
  expired(moment: string): string;
  notYet(moment: string): string;
  notWithdrawn: string;
  withdrawn: string;
  noStatus: string;
  badStatusList: string;
  heldSince(entry: string, moment: string): string;
  notHeld: string;
  shrunk(now: number, before: number): string;
  changed: string;
  notInLog: string;
  whose: string;
  dateOfFacts: string;
  entry(number: string): string;
}

interface Verdicts {
  good: string;
  open: string;
  bad: string;
}

export function bandOf(band: unknown, { bands }: Texts): string {
  return bands[String(band)] ?? String(band);
}

export function momentOf(moment: Date, { locale }: Texts): string {
  if (Number.isNaN(moment.getTime())) return '?';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(moment)} UTC`;
}

export function numberOf(value: number, { locale }: Texts): string {
  return new Intl.NumberFormat(locale).format(value);
}
