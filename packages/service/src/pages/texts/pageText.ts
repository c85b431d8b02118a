/** A heading for the tab and the page, and what stands below it. */
export interface PageText {
  /** Begins with what tells this page from the others. */
  readonly title: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
}
