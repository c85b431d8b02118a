import { createHash } from 'node:crypto';
import { Html } from '../../kit/html.js';

const css = `
:root {
  --paper: #fcfcfa; --ink: #23262b; --soft: #5d646e; --line: #e4e4de; --panel: #f3f3ee; --accent: #14606b;
  --get: #1f6a43; --post: #1d55a5; --patch: #855309; --delete: #a32929; --name: #14606b; --text: #6b4a12;
  --warn: #855309;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #dfe2e6; --soft: #9aa3ae; --line: #2b3037; --panel: #1c2026; --accent: #7cc4cf;
    --get: #7fcf9f; --post: #8ab8f5; --patch: #e3b766; --delete: #f09a94; --name: #7cc4cf; --text: #d9bd8b;
    --warn: #e3b766;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
code, pre, .method, .status { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace; }
code { font-size: .9em; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 3px; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.skip:focus { top: 1rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 650; text-wrap: balance; }
h1 { font-size: 2rem; letter-spacing: -.02em; margin: .25rem 0 1.5rem; }
h2 { font-size: 1.5rem; letter-spacing: -.01em; margin: 0 0 .25rem; }
h3 { font-size: 1.125rem; margin: 0 0 .5rem; }
h4 { font-size: .8125rem; margin: 1.75rem 0 0; color: var(--soft); font-weight: 600; }
p { margin: 0 0 .875rem; max-width: 42rem; text-wrap: pretty; }
small { font-size: .8125rem; color: var(--soft); overflow-wrap: anywhere; }
main { padding: 2rem 1.25rem 6rem; min-width: 0; }
main > header, section { max-width: 76rem; }
section { margin-top: 4rem; }
.lead, .version { color: var(--soft); }
.version { font-size: .875rem; margin: 0; }
.version span { margin-left: .75rem; overflow-wrap: anywhere; }
article { border-top: 1px solid var(--line); padding: 2rem 0 2.5rem; margin-top: 2rem; }
.address { margin: 0; }
.method { font-size: .75rem; font-weight: 700; letter-spacing: .02em; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.access { font-size: .875rem; color: var(--soft); margin: .25rem 0 1.25rem; }
.chip { font-size: .75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .5rem; }
.warn { color: var(--warn); }
.fields { list-style: none; margin: .5rem 0 0; padding: 0; }
.fields li { padding: .625rem 0; border-top: 1px solid var(--line); }
.fields li:first-child { border-top: 0; }
.fields p { margin: .125rem 0 0; font-size: .9375rem; color: var(--soft); }
.fields code span { color: var(--soft); }
.fields small { margin-left: .375rem; }
.fields strong { font-size: .75rem; font-weight: 600; color: var(--warn); margin-left: .375rem; }
.fields li:target { background: var(--panel); }
.answer { margin-top: 1.25rem; border-top: 1px solid var(--line); padding-top: .875rem; }
summary { cursor: pointer; font-size: .9375rem; }
.status { font-weight: 700; font-size: .8125rem; margin-right: .25rem; }
figure { margin: 0 0 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
figcaption { font-size: .75rem; color: var(--soft); padding: .5rem .875rem 0; }
pre { margin: 0; padding: .5rem .875rem .875rem; font-size: .8125rem; line-height: 1.55; overflow: auto; max-height: 26rem; tab-size: 2; }
pre i { font-style: normal; color: var(--name); } pre em { font-style: normal; color: var(--text); } pre b { font-weight: 600; }
nav { padding: 1.25rem 1.25rem 0; font-size: .875rem; }
nav summary { font-weight: 600; }
nav p { margin: 1.25rem 0 .25rem; font-weight: 600; }
nav p a { color: inherit; text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; padding: .25rem 0; color: var(--soft); text-decoration: none; line-height: 1.4; }
nav a:hover { color: var(--accent); }
nav li .method { flex: 0 0 3.25rem; font-size: .6875rem; line-height: 1.8; }
.example { max-width: 46rem; margin: 0 auto; padding-top: 3rem; }
.example h2 { margin-top: 2.5rem; }
.example li { margin-bottom: .5rem; }
form { display: grid; gap: .5rem; max-width: 42rem; margin-top: 1rem; }
input, button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: .375rem; padding: .625rem .75rem; min-width: 0; }
input { background: var(--paper); }
input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button { justify-self: start; padding-inline: 1.5rem; cursor: pointer; }
@media (min-width: 60rem) {
  .page { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-right: 1px solid var(--line); padding: 1.5rem 1.25rem 3rem 1.5rem; scrollbar-width: thin; }
  nav p:first-of-type { margin-top: 0; }
  main { padding: 3rem 3rem 8rem; }
}
@media (max-width: 77.99rem) { .samples { margin-top: 1.75rem; } }
@supports selector(::details-content) {
  @media (min-width: 60rem) {
    nav summary { display: none; }
    nav details::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media (min-width: 78rem) {
  .sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 3rem; }
  .samples { position: sticky; top: 1.5rem; align-self: start; }
}
@media print { nav, .skip { display: none; } .page { display: block; } pre { max-height: none; white-space: pre-wrap; } }
`;

export const style = new Html(`<style>${css}</style>`);

/** CSP hash of exactly this style. */
export const styleHash = `sha256-${createHash('sha256').update(css).digest('base64')}`;

/** Allows exactly this style: no script, no image, no frame, no form. */
export const contentSecurityPolicy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
