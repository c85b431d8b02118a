/** One thing that was checked. */
export interface Finding {
  question: string;
  /** Null: could not be checked. */
  ok: boolean | null;
  text: string;
}

/** What the page shows. */
export interface Outcome {
  title: string;
  /** Null: something could not be checked. */
  ok: boolean | null;
  /** Names and values of what the checked file says. */
  says: (readonly [name: string, value: string])[];
  findings: Finding[];
  notes: string[];
  /** Where to go on. */
  link?: { text: string; href: string };
}

/** The input cannot be checked here. The message is shown to people. */
export class NotCheckable extends Error {
  override name = 'NotCheckable';
  readonly link: Outcome['link'];

  constructor(message: string, link?: Outcome['link']) {
    super(message);
    this.link = link;
  }
}
