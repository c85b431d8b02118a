import type { Html } from '#kit/html.js';

/** A page of the documentation below `/docs`. */
export interface DocsPage {
  /** Its address below `/docs/`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  /** One line for lists of pages. */
  readonly summary: string;
  readonly sections: readonly Section[];
  /** Shows examples beside the text. */
  readonly isWide?: true;
  /** Pages that the menu lists below this one while one of them is open. */
  readonly below?: readonly DocsPage[];
  /** A script of the service that the page uses. The page may then frame pages of the service. */
  readonly library?: string;
  /** Markdown, for readers that are programs. */
  readonly markdown?: string;
  content(): Html;
}

/** A heading and the text below it, up to the next heading. */
export interface Section {
  /** Empty: the text before the first heading. */
  readonly id: string;
  readonly title: string;
  /** As in `<h2>`. */
  readonly level: number;
  /** Without markup and without examples. */
  readonly text: string;
}

/**
 * The way from a page to the root of the service. Links are relative, because a proxy may serve the
 * service below a path.
 */
export function rootFrom(path: string): string {
  return path === '' ? '' : '../'.repeat(path.split('/').length);
}

/** The address of a page of the documentation, from the root of the service. */
export function addressOf(path: string): string {
  return path === '' ? 'docs' : `docs/${path}`;
}
