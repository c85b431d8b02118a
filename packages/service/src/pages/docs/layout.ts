import { type Html, html } from '#kit/html.js';
import { ownFilesPolicy } from '#kit/http/fixedDocument.js';
import { addressOf, type DocsPage, rootFrom } from './page.js';

export interface MenuGroup {
  readonly name: string;
  readonly pages: readonly DocsPage[];
}

/** Some pages show others of the service in frames. */
export function policyOf({ library }: DocsPage): string {
  return library === undefined ? ownFilesPolicy() : ownFilesPolicy("frame-src 'self'");
}

/** Every page of the menu, in reading order. */
export function pagesIn(menu: readonly MenuGroup[]): DocsPage[] {
  return menu.flatMap(({ pages }) => pages.flatMap((page) => [page, ...(page.below ?? [])]));
}

/**
 * A page of the documentation. It can be read without its script.
 * @param root the way to the root of the service
 */
export function docsHtml(
  page: DocsPage,
  menu: readonly MenuGroup[],
  root: string = rootFrom(page.path),
): string {
  const { title, library, isWide } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.path === '' ? 'Documentation' : title}: reliability score</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs/docs.css">
<link rel="alternate" type="application/atom+xml" title="API changelog" href="${root}docs/changelog.xml">
${library !== undefined && html`<script src="${root}${library}" defer></script>`}
<script src="${root}docs/docs.js" defer></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><a class="home" href="${root}docs">Reliability score <span>Docs</span></a>
<div class="search" role="search" hidden><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search the docs" maxlength="200">
<p role="status" class="found"></p><ul hidden></ul></div>
<a href="${root}docs/reference">API reference</a></header>
<div class="page">
<nav class="menu" aria-label="Documentation"><details><summary>Menu</summary>${menuOf(menu, page, root)}</details></nav>
<main id="content">
${tableOfContents(page)}
<article class="${isWide ? 'wide' : 'text'}">
<h1>${title}</h1>
${page.content()}
</article>
${steps(page, menu)}
</main>
</div>
</body>
</html>
`.text;
}

/** A short page needs no table of contents. */
const MIN_TOC_ENTRIES = 3;

function tableOfContents({ sections, isWide }: DocsPage): Html | undefined {
  const shown = isWide ? [] : sections.filter(({ level }) => level === 2);
  if (shown.length < MIN_TOC_ENTRIES) return undefined;
  return html`<nav class="toc" aria-label="On this page"><details><summary>On this page</summary><ul>${shown.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></details></nav>`;
}

function steps(page: DocsPage, menu: readonly MenuGroup[]): Html | undefined {
  const pages = pagesIn(menu);
  const index = pages.indexOf(page);
  // Before the first page of the menu is the start page. A page for an error has no place.
  if (index < 0 && page.path !== '') return undefined;
  const root = rootFrom(page.path);
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  return html`<nav class="steps" aria-label="Previous and next page">
${previous && html`<a class="previous" rel="prev" href="${root}${addressOf(previous.path)}"><small>Previous</small> ${previous.title}</a>`}
${next && html`<a class="next" rel="next" href="${root}${addressOf(next.path)}"><small>Next</small> ${next.title}</a>`}
</nav>`;
}

/** The groups of the menu. */
function menuOf(menu: readonly MenuGroup[], open: DocsPage, root: string): Html {
  return html`${menu.map(({ name, pages }) => html`<p>${name}</p>${menuList(pages, open, root)}`)}`;
}

function menuList(pages: readonly DocsPage[], open: DocsPage, root: string): Html {
  return html`<ul>${pages.map((page) => menuEntry(page, open, root))}</ul>`;
}

function menuEntry(page: DocsPage, open: DocsPage, root: string): Html {
  const isOpen = page === open;
  const { below = [] } = page;
  const operations = isOpen && page.isWide ? page.sections.filter(({ level }) => level === 2) : [];
  return html`<li><a href="${root}${addressOf(page.path)}"${isOpen && html` aria-current="page"`}>${page.title}</a>${
    operations.length > 0 &&
    html`<ul>${operations.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`
  }${(isOpen || below.includes(open)) && below.length > 0 && menuList(below, open, root)}</li>`;
}
