import { type Html, html } from '#kit/html.js';

/** The Markdown subset of descriptions: paragraphs, `code` and **bold**. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

/** The same for a single line. */
export function inline(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${pieces.map((piece) => {
    if (piece.startsWith('`') && piece.length > 2) return html`<code>${piece.slice(1, -1)}</code>`;
    if (piece.startsWith('**') && piece.length > 4) return html`<strong>${piece.slice(2, -2)}</strong>`;
    return piece;
  })}`;
}
