import { type Html, html } from '#kit/html.js';
import { atOwnAddress } from './ownAddress.js';

const TOKEN = /("(?:[^"\\]|\\.|\\$)*(?:"|$))(:?)|\b(true|false|null|-?\d[\d.eE+-]*)\b/gs;

/** Indented JSON with coloured names and values. @param baseUrl as of `atOwnAddress` */
export function colouredJson(value: unknown, baseUrl: string): Html {
  const text = atOwnAddress(JSON.stringify(value, null, 2), JSON.stringify(baseUrl).slice(1, -1));
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
