import { createHash } from 'node:crypto';
import { Html, html } from '../../kit/html.js';
import { inline } from '../docs/prose.js';
import { style, styleHash } from '../docs/style.js';

export interface ExamplePage {
  readonly text: string;
  /** What may take effect on it. */
  readonly policy: string;
}

/** How a platform opens the hosted pages over its own. @param baseUrl where this service is reached */
export function embedExample(baseUrl: string): ExamplePage {
  const { origin } = new URL(baseUrl);
  return examplePage({
    title: 'Embed the hosted pages',
    paragraphs: [
      'Your counterparty can answer without leaving your website. Put the `confirmUrl` or `referenceUrl` that the API gave you behind a button of yours. The page opens in a modal window, and you hear how it ended: `confirmed`, `declined` or `dismissed`, once.',
      'The result is for what you show next. What counts is the request itself: read it by the API.',
    ],
    snippet: `<script src="${baseUrl}/verify-embed.js"></script>
<button id="answer" type="button">Answer now</button>
<script>
  document.getElementById('answer').addEventListener('click', () => {
    ReliabilityVerify.open({
      url: confirmUrl, // from POST /confirmations, with its token
      title: 'Confirm your order', // names the window for screen readers
      onResult(result) {
        // 'confirmed', 'declined' or 'dismissed'
      },
    });
  });
</script>`,
    notes: [
      'Your page must be served by https; on your own machine http://localhost and http://127.0.0.1 work, too.',
      `Where your page has a Content-Security-Policy, it needs \`script-src ${origin}\` and \`frame-src ${origin}\`. No style has to be allowed.`,
      'Only your page, which opened the window, may frame it and hears the result. `open` gives back an object whose `close()` closes it.',
      'A link is opened in the language of the browser. Append `&lang=de` or `&lang=en` to it for another one.',
      'Like every link with a token, it belongs to one person. Do not let it get into logs and analytics.',
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

/** How a website shows the badge of a share token. */
export function badgeExample(baseUrl: string): ExamplePage {
  const { origin } = new URL(baseUrl);
  return examplePage({
    title: 'Show a trust badge',
    paragraphs: [
      'The badge shows what a share token opens to everyone, and leads to the page that verifies it. It is an image behind a link: it reads nothing of your page.',
      'A subject that withdraws its token takes the badge away everywhere: the script then shows nothing.',
    ],
    snippet: `<script async src="${baseUrl}/trust-badge.js"
  data-token="st_..."
  data-label="Our verified record"></script>`,
    notes: [
      'The badge appears where the script stands. `data-label` names it for people who do not see it.',
      `Where your page has a Content-Security-Policy, it needs \`script-src ${origin}\` and \`img-src ${origin}\`.`,
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
  /** The script that the page's own one uses. */
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
<figure><figcaption>To copy</figcaption><pre tabindex="0" role="region" aria-label="To copy">${snippet}</pre></figure>
<h2>What to know</h2>
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
