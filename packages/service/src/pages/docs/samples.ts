import { type Html, html } from '../../kit/html.js';
import { FORM_TYPE } from '../../kit/http/formBody.js';
import type { OperationObject } from '../../kit/http/openapiTypes.js';

/** A shell command that sends the request with its example values. */
export function curlLine(baseUrl: string, method: string, path: string, operation: OperationObject): string {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(baseUrl + sampleAddress(path, operation))}`,
    ...credentials(operation),
    ...bodyLines(operation),
  ].join(' \\\n  ');
}

function bodyLines({ requestBody }: OperationObject): string[] {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || media?.example === undefined) return [];
  if (type === FORM_TYPE) {
    const fields = Object.entries(media.example as Record<string, string>);
    return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  }
  return [`-H "Content-Type: ${type}"`, `-d ${quoted(JSON.stringify(media.example, null, 2))}`];
}

function sampleAddress(path: string, operation: OperationObject): string {
  const parameters = operation.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const example = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.example;
    return example === undefined ? placeholder : encodeURIComponent(String(example));
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? ''))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function credentials({ security }: OperationObject): string[] {
  return security.flatMap((scheme) => {
    if ('apiKey' in scheme) return ['-H "Authorization: Bearer $API_KEY"'];
    return 'adminSecret' in scheme ? ['-H "X-Admin-Secret: $ADMIN_SECRET"'] : [];
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(:?)|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;

/** Indented JSON with coloured names and values. */
export function colouredJson(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const pieces: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quotedText, colon, word] = match;
    pieces.push(text.slice(end, match.index));
    if (quotedText === undefined) pieces.push(html`<b>${word}</b>`);
    else pieces.push(colon === ':' ? html`<i>${quotedText}</i>:` : html`<em>${quotedText}</em>`);
    end = match.index + whole.length;
  }
  return html`${pieces}${text.slice(end)}`;
}
