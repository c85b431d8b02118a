import type { ConfirmableEventType } from '../../domain/catalogues/enums.js';
import type { QualificationKind } from '../../domain/qualificationKinds.js';
import type { PageText } from './pageText.js';
import type { VerifyTexts } from './verifyTexts.js';

/** What a confirmed entry does for the subject. */
export type Weight = 'for' | 'neither' | 'against';

/**
 * Every text of the hosted pages in one language; a missing one does not compile. For people who never heard of the service:
 * short sentences, everyday words. Names come in already set apart from the text around them (`setApart`); times come in as
 * text and name UTC themselves.
 */
export interface Texts {
  /** For `lang`, `Content-Language` and the choice of language. */
  readonly tag: string;
  /** For dates and numbers. */
  readonly locale: string;
  /** How the language calls itself. */
  readonly name: string;
  readonly utc: string;
  /** Before the button that leads to another language; read out, not shown. */
  readonly languageLabel: string;
  /** On requests of a platform that tries the service out. */
  readonly testNote: string;

  readonly ask: {
    title(platform: string): string;
    /** Above the heading: who asks. */
    asks(platform: string): string;
    readonly greeting: string;
    greetingTo(name: string): string;
    readonly heading: string;
    confirmationLead(platform: string, subject: string): string;
    referenceLead(platform: string, subject: string): string;
    inWordsOf(platform: string): string;
    readonly about: string;
    /** Beside the subject's id, which is the platform's own name for it. */
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

  /** What is said to have happened, by the kind of entry. */
  readonly outcomes: Readonly<Record<ConfirmableEventType, string>>;
  readonly claims: Readonly<Record<QualificationKind, string>>;

  confirmed(platform: string, subject: string): PageText;
  referenceConfirmed(platform: string, subject: string): PageText;
  declined(platform: string, subject: string): PageText;
  /** `moment` is empty where it is not known. */
  alreadyAnswered(answer: 'yes' | 'no', moment: string, platform: string): PageText;
  expired(moment: string, platform: string): PageText;
  cancelled(platform: string): PageText;
  readonly wrongLink: PageText;
  /** To whom runs the subject, and so cannot confirm anything about it. */
  readonly noOtherParty: PageText;
  /** The platform that asked is switched off. */
  readonly closed: PageText;
  readonly tooMany: PageText;
  readonly unavailable: PageText;
  readonly unreadable: PageText;
  readonly failed: PageText;
  /** Beside the id of a request that failed. */
  readonly requestId: string;

  readonly verify: VerifyTexts;

  backTo(host: string): string;
  shownBy(host: string, platform: string): string;
}

/**
 * A name that comes from outside, so that whatever writing it is in leaves the words around it where they are
 * (Unicode's isolates), with the marks that would end the isolation taken out.
 */
export function setApart(name: string): string {
  return `\u2068${name.replace(/[\u2066-\u2069\u202a-\u202e]/g, '')}\u2069`;
}
