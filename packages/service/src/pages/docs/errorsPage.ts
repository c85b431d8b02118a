import { type ErrorCode, errorCatalog } from '#domain/errorCatalog.js';
import { type Html, html } from '#kit/html.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { codeFigure } from './codeBlocks.js';
import { colouredJson } from './colouredJson.js';
import { heading } from './heading.js';
import { baseUrlOf } from './operation.js';
import { type DocsPage, rootFrom } from './page.js';
import { inline } from './prose.js';

const PATH = 'errors';
const codes = Object.keys(errorCatalog) as ErrorCode[];
/** Codes of more operations than these are said to be common. */
const MAX_LISTED = 12;

/** Every error code, with the operations that answer it. */
export function errorsPage(document: OpenApiDocument, addresses: ReadonlyMap<string, string>): DocsPage {
  return {
    path: PATH,
    title: 'Errors by code',
    summary: 'Every error code with its status, its meaning, and whether a retry can help.',
    sections: codes.map((code) => ({ id: code, title: code, level: 2, text: errorCatalog[code].message })),
    content:
      () => html`<p>Every error has the same shape. Handle errors by <code>code</code>. If you do not know a code,
use the status and <code>retryable</code>. Give the <code>requestId</code> to the operator when you ask for help: it is in
the logs of the service.</p>
${codeFigure({ language: 'json', text: colouredJson(document.components.examples.NOT_FOUND?.value, baseUrlOf(document)) })}
<p>Retry only if <code>retryable</code> is <code>true</code>, after the seconds in the header <code>Retry-After</code>,
and with the same <code>Idempotency-Key</code>. The list is also data: <code>GET /errors</code>.</p>
${codes.map((code) => errorEntry(code, operationsWith(document, code), addresses))}`,
  };
}

function errorEntry(
  code: ErrorCode,
  operations: readonly NamedOperation[],
  addresses: ReadonlyMap<string, string>,
): Html {
  const { status, retryable, message } = errorCatalog[code];
  const root = rootFrom(PATH);
  return html`${heading(2, code, html`<code>${code}</code>`)}
<p class="error"><strong>${status}</strong> ${retryable ? 'Retry later.' : 'Do not retry unchanged.'}</p>
<p>${inline(message)}</p>
${operations.length > MAX_LISTED && html`<p><small>${operations.length} operations answer it.</small></p>`}
${
  operations.length > 0 &&
  operations.length <= MAX_LISTED &&
  html`<ul class="compact">${operations.map(
    ({ operationId, summary }) =>
      html`<li><a href="${root}${addresses.get(operationId)}">${summary}</a></li>`,
  )}</ul>`
}`;
}

interface NamedOperation {
  readonly operationId: string;
  readonly summary: string;
}

/** Without the operator's twins. */
function operationsWith(document: OpenApiDocument, code: string): NamedOperation[] {
  return Object.entries(document.paths)
    .filter(([path]) => !path.includes('/admin/platforms/{id}/'))
    .flatMap(([, methods]) => Object.values(methods))
    .filter(({ responses }) =>
      Object.values(responses).some(
        ({ content }) => content?.['application/json']?.examples?.[code] !== undefined,
      ),
    );
}
