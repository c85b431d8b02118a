import { type Html, html } from '#kit/html.js';
import changelog from '../../../data/changelog.json' with { type: 'json' };
import { type DocsPage, rootFrom } from './page.js';
import { inline } from './prose.js';
import { operationKey } from './reference.js';

const PATH = 'changelog';

/** The changes of the API, newest first. */
export function changelogPage(addresses: ReadonlyMap<string, string>): DocsPage {
  const dates = [...new Set(changelog.map(({ date }) => date))];
  const days = dates.map((day) => [day, changelog.filter(({ date }) => date === day)] as const);
  return {
    path: PATH,
    title: 'Changelog',
    summary: 'Every visible change of the API, newest first. Also as a feed.',
    sections: days.map(([date, entries]) => ({
      id: date,
      title: date,
      level: 2,
      text: entries.map(({ summary }) => summary).join(' '),
    })),
    content:
      () => html`<p>Within v1 the API only grows. A deprecation is announced here at least 180 days before it takes
effect. Subscribe to the <a href="${rootFrom(PATH)}docs/changelog.xml">Atom feed</a>, or read the entries as data:
<code>GET /changelog</code>.</p>
${days.map(
  ([date, entries]) => html`<h2 id="${date}">${date}</h2>
<ul class="changes">${entries.map((entry) => change(entry, addresses))}</ul>`,
)}`,
  };
}

function change(
  { id, category, summary, endpoints }: (typeof changelog)[number],
  addresses: ReadonlyMap<string, string>,
): Html {
  return html`<li id="${id}"><span class="chip">${category}</span> ${inline(summary)}
${endpoints.length > 0 && html`<p class="endpoints">${endpoints.map((name) => endpoint(name, addresses))}</p>`}</li>`;
}

function endpoint(name: string, addresses: ReadonlyMap<string, string>): Html {
  const address = addresses.get(operationKey(name));
  const code = html`<code>${name}</code>`;
  return html`${address === undefined ? code : html`<a href="${rootFrom(PATH)}${address}">${code}</a>`} `;
}
