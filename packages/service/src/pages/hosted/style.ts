import { createHash } from 'node:crypto';
import { Html } from '#kit/html.js';

const css = `
:root {
  --paper: #f6f5f1; --slip: #fffefb; --ink: #22262b; --soft: #5a616b; --line: #dcdad2; --edge: #767b82;
  --accent: #125b66; --on-accent: #fff; --tint: #e7efee;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --slip: #1d2125; --ink: #e3e5e8; --soft: #a5adb7; --line: #33393f; --edge: #868e97;
    --accent: #85cad4; --on-accent: #0d2226; --tint: #1b2c30;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere;
}
header, main, footer { width: 100%; max-width: 38rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; justify-content: space-between; padding-top: .75rem; min-height: 3.5rem; }
header p, footer p { margin: 0; }
header, footer, small, .soft { color: var(--soft); font-size: .875rem; }
header button { font: inherit; color: var(--accent); background: none; border: 0; padding: .625rem .75rem; margin-right: -.75rem; min-height: 2.75rem; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .25em; cursor: pointer; }
main { flex: 1; padding-top: 1.5rem; padding-bottom: 3rem; }
footer { padding-top: 1rem; padding-bottom: 1.5rem; }
footer p { border-top: 1px solid var(--line); padding-top: 1rem; }
h1 { font-size: clamp(1.75rem, 1.35rem + 1.8vw, 2.25rem); line-height: 1.2; letter-spacing: -.02em; font-weight: 650; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 650; margin: 2.25rem 0 .5rem; }
p { margin: 0 0 1rem; text-wrap: pretty; }
a { color: var(--accent); text-underline-offset: .25em; text-decoration-thickness: 1px; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.asks { color: var(--accent); font-weight: 600; margin: 0 0 .375rem; }
.note { background: var(--tint); border-left: .25rem solid var(--accent); padding: .625rem .875rem; border-radius: .25rem; }
.slip { background: var(--slip); border: 1px solid var(--line); border-radius: .625rem; padding: 1.375rem 1.375rem .5rem; margin: 1.75rem 0 0; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 .5rem 1.5rem -.75rem rgb(0 0 0 / .14); }
.slip .what { font-size: 1.25rem; line-height: 1.4; font-weight: 600; margin: 0 0 .75rem; }
figure { margin: 1rem 0 1.25rem; }
figcaption { color: var(--soft); font-size: .875rem; margin-bottom: .25rem; }
blockquote { margin: 0; padding: 0 0 0 .875rem; border-inline-start: 2px solid var(--accent); white-space: pre-line; }
dl { margin: 0; }
.slip dl { margin: 0 -1.375rem; padding: .25rem 1.375rem; border-top: 1px dashed var(--line); }
.slip dl div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 1rem; padding: .625rem 0; }
.slip dl div + div { border-top: 1px solid var(--line); }
.slip dt { color: var(--soft); }
dd { margin: 0; }
dd small { display: block; line-height: 1.45; }
.answers { display: grid; gap: .75rem; }
.answers dt { font-weight: 600; }
.decide { display: grid; gap: .75rem; margin: 1.75rem 0 1.25rem; }
.decide button {
  display: flex; align-items: center; justify-content: center; gap: .5rem; min-height: 3.5rem; padding: .75rem;
  font: inherit; font-weight: 600; line-height: 1.3; color: var(--ink); background: var(--slip);
  border: 2px solid var(--edge); border-radius: .625rem; cursor: pointer;
}
.decide button:hover { border-color: var(--accent); background: var(--tint); }
.decide button:active { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
svg { width: 1.5rem; height: 1.5rem; flex: none; }
.icon { color: var(--accent); background: var(--tint); width: 4rem; height: 4rem; border-radius: 50%; display: grid; place-items: center; margin: 1rem 0 1.5rem; }
.icon svg { width: 2rem; height: 2rem; }
ul { margin: 0; padding-left: 1.25rem; }
li { margin: 0 0 .5rem; padding-left: .25rem; }
li::marker { color: var(--soft); }
.onward { margin-top: 1.75rem; }
.onward a { display: inline-block; min-height: 2.75rem; padding: .625rem 0; font-weight: 600; }
code { font: .875em ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace; }
.embedded header { padding-right: 4.5rem; }
@media (min-width: 32rem) {
  .decide, .answers { grid-template-columns: 1fr 1fr; gap: .75rem 1rem; }
  .slip { padding: 1.75rem 1.75rem .5rem; }
  .slip dl { margin: 0 -1.75rem; padding: .25rem 1.75rem; }
  main { padding-top: 2.5rem; }
}
/* On a phone both answers stay in view while one reads. */
@media (max-width: 31.99rem) and (min-height: 30rem) {
  form.decide { position: sticky; bottom: 0; grid-template-columns: 1fr 1fr; gap: .5rem; margin: 1.25rem -1.25rem; padding: .75rem 1.25rem; background: var(--paper); border-top: 1px solid var(--line); }
  form.decide button { padding: .5rem; font-size: .9375rem; }
}
@media (max-width: 21rem) { .slip dl div { grid-template-columns: 1fr; } }
@media (prefers-contrast: more) { :root { --line: var(--edge); --soft: var(--ink); } }
@media (forced-colors: active) { .slip, .icon { border: 1px solid; } }
@media print { header form, .decide { display: none; } }
`;

export interface Stylesheet {
  readonly element: Html;
  /** CSP hash of exactly this style. */
  readonly hash: string;
}

/** Without the spaces that only its authors need: pages are opened on slow phones. */
export function stylesheet(source: string): Stylesheet {
  const css = SPACES.reduce((text, [long, short]) => text.replaceAll(long, short), joined(source));
  const hash = `sha256-${createHash('sha256').update(css).digest('base64')}`;
  return { element: new Html(`<style>${css}</style>`), hash };
}

const SPACES = [
  [': ', ':'],
  ['; ', ';'],
  [' {', '{'],
  ['{ ', '{'],
  [';}', '}'],
] as const;

function joined(source: string): string {
  return source
    .split('\n')
    .map((line) => line.trim())
    .join('');
}

/** The style of all pages for people. */
export const hostedStyle = stylesheet(css);
