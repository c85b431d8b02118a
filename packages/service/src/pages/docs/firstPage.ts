import { html } from '#kit/html.js';
import type { MenuGroup } from './layout.js';
import { addressOf, type DocsPage } from './page.js';

/** What the service is, in three sentences. */
export const INTRODUCTION =
  'Report what happened: a job finished on time, a contract broken. The service keeps every outcome in a ledger that only ' +
  'grows, and derives a score from 0 to 100 with the reasons for it. Nobody can move a score by hand, and anyone can recompute it.';

/** What this is, where to begin, and where to go on. */
export function firstPage(menu: readonly MenuGroup[]): DocsPage {
  const pages = menu.flatMap((group) => group.pages);
  const quickstart = pages.find(({ path }) => path === 'quickstart');
  const firstHour = pages.find(({ path }) => path === 'first-hour');
  return {
    path: '',
    title: 'Reliability score',
    summary: 'What this is, and where to begin.',
    sections: [],
    content: () => html`<p class="lead">${INTRODUCTION}</p>
${quickstart && html`<p><a class="begin" href="${addressOf(quickstart.path)}">Quickstart: first score in five minutes</a></p>`}
${firstHour && html`<p>With an hour: <a href="${addressOf(firstHour.path)}">your own history, a customer's answer, a receiver, and what scores are worth</a>.</p>`}
${menu.map(
  ({ name, pages }) => html`<h2>${name}</h2>
<dl class="pages">${pages.map(
    ({ path, title, summary }) =>
      html`<div><dt><a href="${addressOf(path)}">${title}</a></dt><dd>${summary}</dd></div>`,
  )}</dl>`,
)}`,
  };
}
