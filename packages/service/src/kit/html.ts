/** Text that is HTML already: made by `html` alone, so that nothing gets onto a page unescaped. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

/**
 * A piece of a page. Values are escaped for text and for quoted attributes; pieces go in as they are, lists one after the
 * other; null, undefined and false leave nothing. Attributes have to be quoted, and an address that comes from outside has
 * to be checked before it becomes an `href`: escaping does not make `javascript:` harmless.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += textOf(value) + (strings[index + 1] ?? '');
  });
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return escaped(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
