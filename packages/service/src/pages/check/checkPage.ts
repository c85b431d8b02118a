import { html } from '#kit/html.js';
import type { HostedPage } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import type { Texts } from '../texts/texts.js';

/** What the script has to know of the service. */
export interface CheckedService {
  readonly baseUrl: string;
  readonly did: string;
  /** Name of its log. */
  readonly origin: string;
}

/** The page on which a browser checks credentials and proofs. Without its script it explains itself. */
export function checkPage({ baseUrl, did, origin }: CheckedService, { check }: Texts): HostedPage {
  const main = html`<p class="asks">${check.kind}</p>
<h1>${check.heading}</h1>
<p>${check.lead}</p>
${check.withoutScript.map((text) => html`<p class="note without-script">${text}</p>`)}
<form id="check" class="slip" hidden data-base="${baseUrl}" data-did="${did}" data-log="${origin}">
<label for="text">${check.textLabel}</label>
<textarea id="text" rows="6" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>
<label for="file">${check.fileLabel}</label>
<input id="file" type="file" accept=".json,.jwt,.txt,.tlog-proof">
<p class="soft">${check.dropHint}</p>
<div class="decide"><button>${check.button}</button></div>
<p class="soft">${check.privacy}</p>
</form>
<section id="result" aria-live="polite" tabindex="-1"></section>
<h2>${check.whatHeading}</h2>
<ul>${check.what.map(({ name, meaning }) => html`<li><strong>${name}</strong>: ${meaning}</li>`)}</ul>`;
  const languageForm = { action: 'check' };
  return { status: 200, title: check.title, main, platform: null, languageForm, script: 'check.js', style };
}

const style = stylesheet(`#check label { display: block; font-weight: 600; margin: 0 0 .375rem; }
#check textarea { width: 100%; font: .875rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace; color: var(--ink); background: var(--paper); border: 2px solid var(--edge); border-radius: .375rem; padding: .625rem; margin: 0 0 1.25rem; resize: vertical; }
#check input { width: 100%; min-height: 2.75rem; font: inherit; font-size: .9375rem; color: var(--ink); margin: 0 0 .5rem; }
#check input::file-selector-button { font: inherit; min-height: 2.75rem; padding: 0 .875rem; margin-right: .75rem; color: var(--ink); background: var(--slip); border: 2px solid var(--edge); border-radius: .375rem; cursor: pointer; }
#check .decide { grid-template-columns: 1fr; margin: 1rem 0; }
#check.over { outline: 3px dashed var(--accent); outline-offset: 3px; }
textarea:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
#result { margin-top: 2rem; }
#result:focus { outline: none; }
#result h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.verdict { font-size: 1.25rem; margin: 0 0 1rem; padding: .75rem 1rem; border-left: .375rem solid; border-radius: .25rem; background: var(--slip); }
.good { color: #1b6434; } .bad { color: #a3231a; } .open { color: #7a4d00; }
.findings { list-style: none; padding: 0; }
.findings li { padding: .625rem 0; margin: 0; border-top: 1px solid var(--line); }
.findings small { display: block; line-height: 1.45; }
#result dl div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0 1rem; padding: .375rem 0; border-top: 1px solid var(--line); }
#result dt { color: var(--soft); }
@media (max-width: 26rem) { #result dl div { grid-template-columns: 1fr; } }
@media (prefers-color-scheme: dark) { .good { color: #7fd39b; } .bad { color: #ff9d92; } .open { color: #f0bf6a; } }
`);
