import { Marked, type Token, type Tokens } from 'marked';
import { Html, html } from '#kit/html.js';
import { codeFigure, codeTabs, isTabLanguage } from './codeBlocks.js';
import { heading } from './heading.js';
import type { Section } from './page.js';

/** Where the links of a text lead. */
export interface Links {
  /** The address of a link's target. Undefined: there is none here, and the text is shown alone. */
  resolve(target: string): string | undefined;
  /** The address of what a piece of code names, such as `POST /events`. */
  ofCode(code: string): string | undefined;
}

export interface RenderedText {
  readonly content: Html;
  readonly sections: readonly Section[];
}

/** Markdown as HTML. HTML in the Markdown is shown as text. */
export function renderMarkdown(text: string, links: Links): RenderedText {
  const ids = createIds();
  const sections: { id: string; title: string; level: number; texts: string[] }[] = [
    { id: '', title: '', level: 1, texts: [] },
  ];
  const marked = new Marked({ renderer: rendererWith(links, () => sections.at(-1)?.id ?? '') });
  const pieces = joinExamples(marked.lexer(text)).map((piece) => {
    if (Array.isArray(piece)) return codeTabs(piece.map(({ lang = '', text }) => ({ language: lang, text })));
    if (piece.type === 'heading') {
      const title = plainText(piece);
      sections.push({ id: ids(title), title, level: piece.depth, texts: [] });
    } else if (piece.type !== 'code') sections.at(-1)?.texts.push(plainText(piece));
    return new Html(marked.parser([piece]));
  });
  return {
    content: html`${pieces}`,
    sections: sections.map(({ texts, ...section }) => ({
      ...section,
      text: texts.filter(Boolean).join(' '),
    })),
  };
}

/** The same Markdown with other links, outside of code. A link without a target becomes its text. */
export function withLinks(text: string, resolve: Links['resolve']): string {
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((piece, index) => {
      if (index % 2 === 1) return piece;
      return piece.replace(/\[([^[\]]*)\]\(([^()\s]+)\)/g, (_, content: string, target: string) => {
        const address = resolve(target);
        return address === undefined ? content : `[${content}](${address})`;
      });
    })
    .join('');
}

/** Neighbouring code blocks in the languages of examples become one list. */
function joinExamples(tokens: readonly Token[]): (Token | Tokens.Code[])[] {
  const joined: (Token | Tokens.Code[])[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.type === 'space') continue;
    if (!isExample(token)) joined.push(token);
    else if (Array.isArray(last) && last.every(({ lang }) => lang !== token.lang)) last.push(token);
    else joined.push([token]);
  }
  return joined;
}

function isExample(token: Token): token is Tokens.Code {
  return token.type === 'code' && isTabLanguage(String(token.lang));
}

function rendererWith(links: Links, currentId: () => string) {
  let canLink = true;
  const withoutLinks = (render: () => string): Html => {
    const before = canLink;
    canLink = false;
    const content = new Html(render());
    canLink = before;
    return content;
  };
  const linked = (address: string | undefined, content: Html): string =>
    address === undefined || !canLink ? content.text : html`<a href="${address}">${content}</a>`.text;
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.text,
    image: ({ text }: Tokens.Image) => html`${text}`.text,
    heading(this: Parsing, { tokens, depth }: Tokens.Heading) {
      const title = withoutLinks(() => this.parser.parseInline(tokens));
      return heading(depth, currentId(), title).text;
    },
    link(this: Parsing, { href, tokens }: Tokens.Link) {
      const content = withoutLinks(() => this.parser.parseInline(tokens));
      return linked(links.resolve(href), content);
    },
    codespan({ text }: Tokens.Codespan) {
      return linked(links.ofCode(text), html`<code>${text}</code>`);
    },
    code: ({ lang = '', text }: Tokens.Code) => codeFigure({ language: lang, text }).text,
    table(this: Parsing, { header, rows }: Tokens.Table) {
      const names = header.map((cell) => plainText(cell));
      const inline = (cell: Tokens.TableCell) => new Html(this.parser.parseInline(cell.tokens));
      return html`<table><thead><tr>${header.map((cell) => (cell.text === '' ? html`<td></td>` : html`<th scope="col">${inline(cell)}</th>`))}</tr></thead>
<tbody>${rows.map(
        (row) =>
          html`<tr>${row.map((cell, index) => html`<td data-label="${names[index]}">${inline(cell)}</td>`)}</tr>`,
      )}</tbody></table>`.text;
    },
  };
}

/** What marked binds the functions of a renderer to. */
interface Parsing {
  readonly parser: { parseInline(tokens: Token[]): string };
}

/** The ids of headings as GitHub makes them, so that links work in the repository, too. */
function createIds(): (title: string) => string {
  const used = new Map<string, number>();
  return (title) => {
    const id = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** The text of a token without its markup. */
function plainText(token: { readonly [name: string]: unknown } | Token | Tokens.TableCell): string {
  const { tokens, items, header, rows, text } = token as {
    tokens?: Token[];
    items?: Token[];
    header?: Tokens.TableCell[];
    rows?: Tokens.TableCell[][];
    text?: string;
  };
  if (Array.isArray(rows)) return [...(header ?? []), ...rows.flat()].map(plainText).join(' ');
  if (Array.isArray(items)) return items.map(plainText).join(' ');
  if (Array.isArray(tokens)) return tokens.map(plainText).join('');
  return text ?? '';
}
