import { createHash } from 'node:crypto';
import { Html, html } from '../../kit/html.js';
import { inline } from '../docs/prose.js';
import { style, styleHash } from '../docs/style.js';

export interface ExamplePage {
  readonly text: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/**
 * How a platform opens a hosted page in its own website.
 * @param baseUrl the public address of this service
 */
export function embedExample(baseUrl: string): ExamplePage {
  const { origin } = new URL(baseUrl);
  return examplePage({
    title: 'Embed the hosted pages',
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
    trial: new Html(`<form id="trial"><label for="url">A confirmation or reference link</label>
<input id="url" name="url" type="url" required autocomplete="off">
<button>Open</button></form><p role="status" id="result"></p>`),
    library: 'verify-embed.js',
    script: `document.getElementById('trial').addEventListener('submit', (event) => {
  event.preventDefault();
  const status = document.getElementById('result');
  status.textContent = '';
  try {
    ReliabilityVerify.open({
      url: document.getElementById('url').value,
      onResult: (result) => { status.textContent = 'Result: ' + result; },
    });
  } catch (error) {
    status.textContent = error.message;
  }
});`,
  });
}

/** How a website shows a badge. */
export function badgeExample(baseUrl: string): ExamplePage {
  const { origin } = new URL(baseUrl);
  return examplePage({
    title: 'Show a trust badge',
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
    trial: new Html(`<form id="trial"><label for="token">A share token</label>
<input id="token" name="token" required autocomplete="off" placeholder="st_...">
<button>Show</button></form><p id="result"></p>`),
    library: null,
    script: `document.getElementById('trial').addEventListener('submit', (event) => {
  event.preventDefault();
  const script = document.createElement('script');
  script.src = '../trust-badge.js';
  script.dataset.token = document.getElementById('token').value;
  document.getElementById('result').replaceChildren(script);
});`,
  });
}

interface Example {
  title: string;
  paragraphs: readonly string[];
  snippet: string;
  notes: readonly string[];
  trial: Html;
  /** The script that the page's own script uses. */
  library: string | null;
  script: string;
}

function examplePage({ title, paragraphs, snippet, notes, trial, library, script }: Example): ExamplePage {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${style}
</head>
<body>
<main class="example">
<p class="version"><a href="../docs">API reference</a></p>
<h1>${title}</h1>
${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}
<figure><figcaption>Copy this</figcaption><pre tabindex="0" role="region" aria-label="Copy this">${snippet}</pre></figure>
<h2>Notes</h2>
<ul>${notes.map((note) => html`<li>${inline(note)}</li>`)}</ul>
<h2>Try it</h2>
${trial}
</main>
${library !== null && html`<script src="../${library}"></script>`}
<script>${new Html(script)}</script>
</body>
</html>
`;
  return { text: page.text, policy: policyFor(script) };
}

function policyFor(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    `script-src 'self' 'sha256-${hash}'`,
    "frame-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
