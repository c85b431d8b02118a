import { type Html, html } from '#kit/html.js';

export interface Row {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
}

/** Names and values, one per line. */
export function rows(list: readonly Row[]): Html {
  return html`<dl class="rows">${list.map(
    ({ name, value, note }) =>
      html`<div><dt>${name}${note !== undefined && html` <small>${note}</small>`}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

export const rowsCss = `
.rows { border-top: 1px solid var(--line); }
.rows div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
.rows small { display: block; line-height: 1.45; }
.rows dd { font-weight: 600; text-align: end; flex: none; font-variant-numeric: tabular-nums; max-width: 50%; }
.rows + .soft { margin-top: .75rem; }
`;
