import { type Html, html } from '#kit/html.js';

/**
 * What is coloured in each language: comments, texts, names (keys, options, variables) and words. Each expression is linear: a text or
 * comment without an end reaches to the end of the code.
 */
const JAVASCRIPT =
  /(?<comment>\/\/[^\n]*)|(?<text>'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|`(?:[^`\\]|\\.)*(?:`|$))|\b(?<name>\w+)(?=:\s)|\b(?<word>as|async|await|break|catch|const|continue|else|export|false|for|from|function|if|import|let|new|null|of|return|throw|true|try|type|typeof|undefined|while)\b/g;
const SHELL =
  /(?<comment>(?<![^\s])#[^\n]*)|(?<text>'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))|(?<name>\$\w+|(?<![^\s])--?[A-Za-z][\w-]*)|(?<![^\s])(?<word>curl|echo|export|jq|node|npm|npx)(?![^\s])/gs;
const GRAMMARS: Readonly<Record<string, RegExp>> = {
  sh: SHELL,
  console: SHELL,
  ts: JAVASCRIPT,
  js: JAVASCRIPT,
  python:
    /(?<comment>#[^\n]*)|(?<text>'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?)|\b(?<word>and|as|class|def|else|except|False|for|from|if|import|in|is|None|not|or|raise|return|True|try|while|with|yield)\b|\b(?<name>\w+)(?==[^=\s])/g,
  go: /(?<comment>\/\/[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"?|`[^`]*(?:`|$))|\b(?<word>any|break|case|const|defer|else|error|false|for|func|go|if|import|map|nil|package|range|return|string|struct|switch|true|type|var)\b/g,
  json: /(?<text>"(?:[^"\\]|\\.|\\$)*(?:"|$))|\b(?<word>true|false|null|\d[\d.eE+-]*)\b/gs,
  html: /(?<comment><!--)|(?<word><\/?[\w-]+|\/?>)|(?<text>"[^"]*(?:"|$))|(?<![\w-])(?<name>[\w-]+)(?==")/g,
  yaml: /(?<comment>(?<![^\s])#[^\n]*)|(?<text>'[^'\n]*'?|"[^"\n]*"?)|(?<![\w-])(?<name>[\w-]+)(?=:\s)/g,
};

const MARKS: Readonly<Record<string, (text: string) => Html>> = {
  comment: (text) => html`<span>${text}</span>`,
  text: (text) => html`<em>${text}</em>`,
  name: (text) => html`<i>${text}</i>`,
  word: (text) => html`<b>${text}</b>`,
};

/** Code with coloured comments, texts, names and words. Of other languages the text as it is. */
export function colouredCode(code: string, language: string): Html {
  const pieces: (Html | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(GRAMMARS[language] ?? /$^/g)) {
    const [kind, token = ''] =
      Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    const start = match.index + match[0].indexOf(token);
    const isKey = kind === 'text' && code[start + token.length] === ':';
    const mark = MARKS[isKey ? 'name' : (kind ?? '')];
    if (mark === undefined) continue;
    pieces.push(code.slice(end, start), mark(token));
    end = start + token.length;
  }
  return html`${pieces}${code.slice(end)}`;
}
