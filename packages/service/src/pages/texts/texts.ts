import type { ConfirmableEventType } from '../../domain/catalogues/enums.js';
import type { LanguageTag } from '../../domain/languages.js';
import type { QualificationKind } from '../../domain/verifiedProfile.js';
import type { CheckTexts } from './checkTexts.js';
import type { HowTexts } from './howTexts.js';
import type { OfferTexts } from './offerTexts.js';
import type { ReportTexts } from './reportTexts.js';
import type { StatusTexts } from './statusTexts.js';
import type { PageText, VerifyTexts } from './verifyTexts.js';

/** The effect of a confirmed entry on the subject's record. */
export type Weight = 'for' | 'neither' | 'against';

/**
 * Every text of the hosted pages in one language. A missing one does not compile. The readers do
 * not know the service: short sentences, everyday words. Names are passed in isolated
 * (`bidiIsolate`). Times are passed in as text and name UTC.
 */
export interface Texts {
  /** For `lang`, `Content-Language` and the choice of language. */
  readonly tag: LanguageTag;
  /** For dates and numbers. */
  readonly locale: string;
  /** The language's own name. */
  readonly name: string;
  readonly utc: string;
  /** Label of the language buttons for screen readers. */
  readonly languageLabel: string;
  /** Shown on test requests. */
  readonly testNote: string;

  readonly ask: {
    title(platform: string): string;
    /** Above the heading. */
    asks(platform: string): string;
    readonly greeting: string;
    greetingTo(name: string): string;
    readonly heading: string;
    confirmationLead(platform: string, subject: string): string;
    referenceLead(platform: string, subject: string): string;
    inWordsOf(platform: string): string;
    readonly about: string;
    /** Beside the subject's id, which is the platform's name for it. */
    calledSoBy(platform: string): string;
    readonly value: string;
    valueUnit(platform: string): string;
    readonly due: string;
    readonly completed: string;
    readonly organization: string;
    readonly from: string;
    readonly until: string;
    readonly meaningHeading: string;
    readonly yes: string;
    readonly no: string;
    yesMeans(subject: string, weight: Weight): string;
    yesMeansReference(subject: string): string;
    readonly noMeans: string;
    answerBy(moment: string): string;
    readonly chooseOne: string;
    readonly nextHeading: string;
    /** What happens next, and what an answer is not. */
    next(platform: string): readonly string[];
  };

  /** What happened, by event type. */
  readonly outcomes: Readonly<Record<ConfirmableEventType, string>>;
  readonly claims: Readonly<Record<QualificationKind, string>>;

  confirmed(platform: string, subject: string): PageText;
  referenceConfirmed(platform: string, subject: string): PageText;
  declined(platform: string, subject: string): PageText;
  /** `moment` is empty if it is unknown. */
  alreadyAnswered(answer: 'yes' | 'no', moment: string, platform: string): PageText;
  expired(moment: string, platform: string): PageText;
  cancelled(platform: string): PageText;
  readonly wrongLink: PageText;
  /** The counterparty turned out to be the subject or its operator. */
  readonly noOtherParty: PageText;
  /** The platform is deactivated. */
  readonly closed: PageText;
  readonly tooMany: PageText;
  readonly unavailable: PageText;
  readonly unreadable: PageText;
  readonly failed: PageText;
  /** Beside the id of a request that failed. */
  readonly requestId: string;

  readonly verify: VerifyTexts;
  readonly check: CheckTexts;
  readonly how: HowTexts;
  readonly status: StatusTexts;
  readonly offer: OfferTexts;
  readonly report: ReportTexts;

  backTo(host: string): string;
  shownBy(host: string, platform: string): string;
}

/**
 * Wraps a name from outside in Unicode bidi isolates, so that its script cannot reorder the text
 * around it. Removes the marks that would end the isolation.
 */
export function bidiIsolate(name: string): string {
  return `\u2068${name.replace(/[\u2066-\u2069\u202a-\u202e]/g, '')}\u2069`;
}
