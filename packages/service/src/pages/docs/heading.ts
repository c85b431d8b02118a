import { Html, html } from '#kit/html.js';

/** A heading with a link to itself. */
export function heading(level: number, id: string, title: Html | string): Html {
  const tag = new Html(`h${level}`);
  return html`<${tag} id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></${tag}>
`;
}
