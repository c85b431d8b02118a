/** The page /status, for people who wonder whether the service works. */
export interface StatusTexts {
  readonly title: string;
  readonly kind: string;
  readonly headings: Readonly<Record<'operational' | 'degraded' | 'outage', string>>;
  readonly leads: Readonly<Record<'operational' | 'degraded' | 'outage', string>>;
  readonly partsHeading: string;
  readonly parts: Readonly<
    Record<'answers' | 'scores' | 'messages' | 'log', readonly [name: string, note: string]>
  >;
  readonly states: Readonly<Record<'ok' | 'late' | 'failed' | 'unknown', string>>;
  readonly uptimeHeading: string;
  readonly day: string;
  readonly week: string;
  readonly uptimeNote: string;
  readonly unknown: string;
  checked(moment: string): string;
  /** The link that loads the page again. A page that does so by itself interrupts its reader (WCAG 2.2.1). */
  readonly again: string;
  /** Around the link to the data. */
  readonly data: readonly [before: string, link: string, after: string];
}
