import { fillHtml, type Html, html } from '#kit/html.js';
import type { Status } from '../../features/system/system/schemas.js';
import { momentElement, roundedText } from '../hosted/formats.js';
import type { HostedPage } from '../hosted/layout.js';
import { stylesheet } from '../hosted/style.js';
import { linked, type Texts } from '../texts/texts.js';
import { type Row, rows, rowsCss } from '../verify/rows.js';

type StatusTexts = Texts['status'];
type State = keyof StatusTexts['states'];

/** The state of the service in plain words. */
export function statusPage({ status, checks, history }: Status, now: Date, texts: Texts): HostedPage {
  const words = texts.status;
  const main = html`<p class="asks">${words.kind}</p>
<h1>${words.headings[status]}</h1>
<p>${words.leads[status]}</p>
<h2>${words.partsHeading}</h2>
<dl class="rows">
${part(words, 'answers', checks.database.status === 'busy' ? 'late' : stateOf(checks.database.status))}
${part(words, 'scores', stateOf(checks.worker.status))}
${part(words, 'messages', stateOf(checks.outbox.status))}
${part(words, 'log', stateOf(checks.log.status))}
</dl>
<h2>${words.uptimeHeading}</h2>
${rows([uptimeRow(words.day, history?.['24h'].uptime ?? null, texts), uptimeRow(words.week, history?.['7d'].uptime ?? null, texts)])}
<p class="soft">${fillHtml(words.checked, { moment: momentElement(now, texts) })} <a href="">${words.again}</a>. ${linked(words.data, 'status.json')}</p>`;
  return {
    status: 200,
    title: `${words.title}: ${words.headings[status]}`,
    main,
    platform: null,
    languageForm: { action: 'status' },
    localTimes: 'local-times.js',
    style,
  };
}

/** What a check says, for people. */
function stateOf(status: Status['checks'][keyof Status['checks']]['status']): State {
  switch (status) {
    case 'ok':
      return 'ok';
    case 'busy':
    case 'lagging':
      return 'late';
    case 'unknown':
      return 'unknown';
    default:
      return 'failed';
  }
}

function part({ parts, states }: StatusTexts, name: keyof StatusTexts['parts'], state: State): Html {
  const { name: title, note } = parts[name];
  return html`<div><dt>${title} <small>${note}</small></dt><dd class="${state}">${states[state]}</dd></div>`;
}

function uptimeRow(name: string, uptime: number | null, texts: Texts): Row {
  const { uptimeNote, unknown } = texts.status;
  // Rounded down: 100 % means that no minute was lost.
  const percent = uptime === null ? null : Math.floor(uptime * 10_000) / 100;
  return { name, note: uptimeNote, value: percent === null ? unknown : `${roundedText(percent, texts)} %` };
}

const style = stylesheet(`${rowsCss}
.rows dt small { color: var(--soft); }
.ok { color: #1b6434; } .late { color: #7a4d00; } .failed { color: #a3231a; }
@media (prefers-color-scheme: dark) { .ok { color: #7fd39b; } .late { color: #f0bf6a; } .failed { color: #ff9d92; } }
`);
