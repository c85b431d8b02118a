import { type Html, html } from '#kit/html.js';
import { codeFigure } from './codeBlocks.js';
import type { DocsPage } from './page.js';
import { inline } from './prose.js';

/**
 * How a platform opens a hosted page in its own website.
 * @param baseUrl the public address of this service
 */
export function embedPage(baseUrl: string): DocsPage {
  const { origin } = new URL(baseUrl);
  return page({
    path: 'verify-embed',
    title: 'Embed the hosted pages',
    summary: 'Let a counterparty answer in a window on your own website.',
    paragraphs: [
      'Your counterparty can answer without leaving your website. Add a button that opens the `confirmUrl` or `referenceUrl` from the API in a modal window. `onResult` is called once, with `confirmed`, `declined` or `dismissed`.',
      'Use the result only to decide what to show next. The API has the authoritative status of the request.',
    ],
    snippet: `<script src="${baseUrl}/verify-embed.js"></script>
<button id="answer" type="button">Answer now</button>
<script>
  document.getElementById('answer').addEventListener('click', () => {
    ReliabilityVerify.open({
      url: confirmUrl, // from POST /confirmations, with its token
      title: 'Confirm your order', // the window's name for screen readers
      onResult(result) {
        // 'confirmed', 'declined' or 'dismissed'
      },
    });
  });
</script>`,
    notes: [
      'Serve your page over https. On your own machine http://localhost and http://127.0.0.1 also work.',
      `If your page has a Content-Security-Policy, add \`script-src ${origin}\` and \`frame-src ${origin}\`. You do not need to allow a style.`,
      'Only the page that opened the window may frame it and receives the result. `open` returns an object whose `close()` closes the window.',
      'The page uses the language of the browser. Append `&lang=de` or `&lang=en` to the link to choose one.',
      'The link contains a token and is meant for one person. Keep it out of logs and analytics.',
    ],
    trial: html`<form id="try-link" hidden><label for="url">A confirmation or reference link</label>
<input id="url" name="url" type="url" required autocomplete="off">
<button>Open</button></form><p role="status" id="try-link-result"></p>`,
    library: 'verify-embed.js',
  });
}

/** How a website shows a badge. */
export function badgePage(baseUrl: string): DocsPage {
  const { origin } = new URL(baseUrl);
  return page({
    path: 'trust-badge',
    title: 'Show a trust badge',
    summary: 'Show the band of a shared record on any website.',
    paragraphs: [
      'The badge shows the band of a shared record and links to the page that verifies it. It is an image in a link and cannot read your page.',
      'If the share token is withdrawn, the badge disappears everywhere: the script then shows nothing.',
    ],
    snippet: `<script async src="${baseUrl}/trust-badge.js"
  data-token="st_..."
  data-label="Our verified record"></script>`,
    notes: [
      'The badge appears at the position of the script. `data-label` is its text for screen readers.',
      `If your page has a Content-Security-Policy, add \`script-src ${origin}\` and \`img-src ${origin}\`.`,
    ],
    trial: html`<form id="try-badge" hidden><label for="token">A share token</label>
<input id="token" name="token" required autocomplete="off" placeholder="st_...">
<button>Show</button></form><p id="try-badge-result"></p>`,
  });
}

interface Example {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly paragraphs: readonly string[];
  readonly snippet: string;
  readonly notes: readonly string[];
  readonly trial: Html;
  /** The script that the trial uses. */
  readonly library?: string;
}

function page({ paragraphs, snippet, notes, trial, ...rest }: Example): DocsPage {
  return {
    ...rest,
    sections: [{ id: '', title: '', level: 1, text: [...paragraphs, ...notes].join(' ') }],
    content: () => html`${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
${codeFigure({ language: 'html', text: snippet })}
<h2>Notes</h2>
<ul>${notes.map((note) => html`<li>${inline(note)}</li>`)}</ul>
<h2>Try it</h2>
${trial}`,
  };
}
