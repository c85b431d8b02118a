/** Text that is already HTML. Only `html` creates it, so no unescaped text reaches a page. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

/**
 * An HTML fragment. Values are escaped for text and quoted attributes; fragments are inserted as they are and
 * lists are joined; null, undefined and false give nothing. Quote all attributes. Check an address from
 * outside before using it as an `href`: escaping does not make `javascript:` harmless.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index += 1) {
    text += textOf(values[index]) + (strings[index + 1] ?? '');
  }
  return new Html(text);
}

/** A text with named places, `{name}`, with fragments or texts in them. Everything is escaped as by `html`. */
export function fillHtml(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => {
    if (index % 2 === 0) return part;
    if (!Object.hasOwn(values, part)) throw new Error(`the text has a place for ${part}: ${text}`);
    return values[part];
  })}`;
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
