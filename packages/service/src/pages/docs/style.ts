/** The style of the documentation. Served as a file: the policy of the pages allows no other. */
export const css = `
:root {
  --paper: #fcfcfa; --ink: #23262b; --soft: #5d646e; --line: #e4e4de; --edge: #8b9098; --panel: #f3f3ee; --accent: #14606b; --on-accent: #fff; --tint: #e3efef;
  --get: #1f6a43; --post: #1d55a5; --patch: #855309; --delete: #a32929; --name: #14606b; --text: #6b4a12;
  --warn: #855309;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #dfe2e6; --soft: #9aa3ae; --line: #2b3037; --edge: #6d7680; --panel: #1c2026; --accent: #7cc4cf; --on-accent: #0d2226; --tint: #1b2c30;
    --get: #7fcf9f; --post: #8ab8f5; --patch: #e3b766; --delete: #f09a94; --name: #7cc4cf; --text: #d9bd8b;
    --warn: #e3b766;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
code, pre, .method, .status { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace; }
code { font-size: .9em; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
:is(a, button, summary, pre, input, textarea, select):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--paper); padding: .5rem 1rem; z-index: 3; }
.skip:focus { top: .5rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 650; text-wrap: balance; }
h1 { font-size: 2rem; letter-spacing: -.02em; margin: 0 0 1rem; }
h2 { font-size: 1.4375rem; letter-spacing: -.01em; margin: 3rem 0 .75rem; }
h3 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 1rem; text-wrap: pretty; }
ul, ol { padding-left: 1.5rem; margin: 0 0 1rem; }
li { margin-bottom: .375rem; }
blockquote { margin: 0 0 1rem; padding: .125rem 0 .125rem 1rem; border-left: 3px solid var(--accent); }
blockquote p:last-child { margin: 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
small { font-size: .8125rem; color: var(--soft); }
.anchor { color: var(--soft); text-decoration: none; font-weight: 400; padding: 0 .25rem; opacity: 0; }
:is(h2, h3, h4):hover .anchor, .anchor:focus-visible { opacity: 1; }
a:has(> code:only-child) { text-decoration-style: dotted; }
.lead { color: var(--soft); }

.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .5rem 1.25rem; min-height: 3.5rem; padding: .5rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); font-size: .9375rem; }
.top a { text-decoration: none; }
.top .home { color: inherit; font-weight: 650; margin-right: auto; }
.top .home span { color: var(--soft); font-weight: 400; }
.search { position: relative; flex: 0 1 22rem; }
.search label, .found:not(.shown) { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
.search input { width: 100%; }
.search :is(ul, .found.shown) { position: absolute; right: 0; width: min(34rem, 100vw - 2.5rem); max-height: 70vh; overflow-y: auto; margin: .375rem 0 0; padding: .375rem; list-style: none; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem; box-shadow: 0 .5rem 2rem -.5rem rgb(0 0 0 / .35); }
.search .found.shown { padding: .75rem; }
.search li { margin: 0; }
.search li a { display: block; padding: .5rem .625rem; border-radius: .25rem; color: inherit; line-height: 1.4; }
.search li a:is(:hover, :focus) { background: var(--tint); }
.search li small { margin-left: .5rem; }
.search li span { display: block; font-size: .875rem; color: var(--soft); }
mark { background: none; color: inherit; font-weight: 650; text-decoration: underline; text-underline-offset: .15em; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); }
main { padding: 1.5rem 1.25rem 5rem; min-width: 0; }
.text { max-width: 44rem; }
.wide { max-width: 78rem; }
.wide > p { max-width: 42rem; }

.menu { padding: .75rem 1.25rem 0; font-size: .9375rem; }
.menu p { margin: 1.25rem 0 .25rem; font-weight: 600; font-size: .8125rem; color: var(--soft); }
.menu p:first-of-type { margin-top: .5rem; }
.menu ul, .toc ul { list-style: none; margin: 0; padding: 0; }
.menu ul ul { padding-left: .75rem; margin: .125rem 0 .375rem; border-left: 1px solid var(--line); }
.menu li, .toc li { margin: 0; }
.menu a { display: block; padding: .25rem .5rem; border-radius: .25rem; color: inherit; text-decoration: none; line-height: 1.4; }
.menu ul ul a { font-size: .875rem; color: var(--soft); }
.menu a:hover { color: var(--accent); }
.menu a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
summary { cursor: pointer; }
.menu summary, .toc summary { font-weight: 600; padding: .5rem 0; }
.toc { font-size: .875rem; margin: 0 0 1.5rem; max-width: 44rem; border: 1px solid var(--line); border-radius: .375rem; padding: 0 .875rem; }
.toc a { display: block; padding: .25rem 0; color: var(--soft); text-decoration: none; line-height: 1.4; }
.toc a:hover, .toc a.here { color: var(--accent); }
.toc ul { padding-bottom: .5rem; }
.steps { display: flex; gap: 1rem; max-width: 44rem; margin-top: 4rem; }
.steps a { flex: 1; border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; text-decoration: none; }
.steps a:hover { border-color: var(--accent); }
.steps .next { text-align: right; }
.steps small { display: block; }

table { border-collapse: collapse; width: 100%; margin: 0 0 1.25rem; font-size: .9375rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8125rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .125rem 0; }
  td:first-child { font-weight: 600; }
  td:nth-child(n + 3):not(:empty)::before { content: attr(data-label) ": "; color: var(--soft); }
}

figure { margin: 0 0 1.25rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; }
figcaption { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 2.25rem; font-size: .8125rem; color: var(--soft); padding: .25rem .875rem 0; }
pre { margin: 0; padding: .375rem .875rem .875rem; font-size: .8125rem; line-height: 1.55; white-space: pre-wrap; tab-size: 2; overflow-wrap: anywhere; }
pre[tabindex] { max-height: 26rem; overflow: auto; }
pre code { font-size: inherit; }
pre i { font-style: normal; color: var(--name); } pre em { font-style: normal; color: var(--text); } pre b { font-weight: 600; } pre span { color: var(--soft); }
.tabs { margin: 0 0 1.25rem; }
.tabs figure { margin: 0 0 .5rem; }
@media (scripting: enabled) { .tabs figure + figure { display: none; } }
.tabs.ready figure { display: none; margin: 0; border-top-left-radius: 0; }
.tabs.ready figure.shown { display: block; }
[role="tablist"] { display: flex; flex-wrap: wrap; gap: .125rem; }
[role="tab"] { font: inherit; font-size: .8125rem; color: var(--soft); background: none; border: 1px solid transparent; border-bottom: 0; border-radius: .375rem .375rem 0 0; padding: .375rem .75rem; min-height: 2.25rem; cursor: pointer; }
[role="tab"][aria-selected="true"] { color: var(--ink); background: var(--panel); border-color: var(--line); font-weight: 600; }
.tabs.ready figcaption span { display: none; }
.copy { font: inherit; color: var(--accent); background: none; border: 0; padding: .25rem; min-height: 1.75rem; cursor: pointer; margin-left: auto; }

.begin { display: inline-block; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; border-radius: .5rem; padding: .75rem 1.25rem; margin: .5rem 0; }
.pages { display: grid; gap: .75rem 2rem; margin: 0; }
.pages dt { font-weight: 600; } .pages dd { margin: 0; color: var(--soft); font-size: .9375rem; }
.version { font-size: .875rem; color: var(--soft); }
.version span { margin-left: .75rem; }
.method { font-size: .75rem; font-weight: 700; letter-spacing: .02em; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.operations { list-style: none; padding: 0; }
.operations li { margin: 0; border-top: 1px solid var(--line); }
.operations a { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0 .5rem; padding: .5rem 0; color: inherit; text-decoration: none; align-items: baseline; }
.operations a:hover { color: var(--accent); }
.operations code { color: var(--soft); grid-column: 2; }
.operation { border-top: 1px solid var(--line); padding: 2rem 0 2.5rem; margin-top: 2rem; }
.operation h2 { margin: 0 0 .5rem; }
.operation h3 { font-size: .8125rem; margin: 1.75rem 0 0; color: var(--soft); font-weight: 600; }
.operation p { max-width: 42rem; }
.address { margin: 0; }
.access { font-size: .875rem; color: var(--soft); margin: .25rem 0 1.25rem; }
.chip { font-size: .75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .5rem; }
.warn { color: var(--warn); }
.fields { list-style: none; margin: .5rem 0 0; padding: 0; }
.fields li { padding: .625rem 0; border-top: 1px solid var(--line); margin: 0; }
.fields li:first-child { border-top: 0; }
.fields p { margin: .125rem 0 0; font-size: .9375rem; color: var(--soft); }
.fields code span { color: var(--soft); }
.fields small { margin-left: .375rem; }
.fields strong { font-size: .75rem; font-weight: 600; color: var(--warn); margin-left: .375rem; }
.answer { margin-top: 1.25rem; border-top: 1px solid var(--line); padding-top: .875rem; }
.answer summary { font-size: .9375rem; }
.status { font-weight: 700; font-size: .8125rem; margin-right: .25rem; }
.try { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: .5rem; padding: 0 .875rem; }
.try summary { padding: .5rem 0; font-size: .9375rem; font-weight: 600; color: var(--accent); }
.try form { margin: 0 0 .875rem; font-size: .875rem; }
.try label { display: grid; grid-template-columns: 1fr auto; gap: .125rem .5rem; }
.try :is(input, textarea) { grid-column: 1 / -1; width: 100%; }
.try textarea { font: .8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace; resize: vertical; }
.result p { margin: 0 0 .5rem; font-weight: 600; font-size: .9375rem; }
.result pre { background: var(--panel); border-radius: .375rem; padding: .625rem .875rem; margin: 0 0 .875rem; }
.compact { columns: 2; column-gap: 2rem; font-size: .9375rem; }
.changes { list-style: none; padding: 0; }
.changes li { padding: .75rem 0; border-top: 1px solid var(--line); margin: 0; }
.endpoints { font-size: .875rem; margin: .25rem 0 0; }

form { display: grid; gap: .5rem; max-width: 42rem; margin-top: 1rem; }
input, textarea, select, .button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem .75rem; min-width: 0; min-height: 2.75rem; }
form button, .button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem 1.5rem; min-height: 2.75rem; justify-self: start; cursor: pointer; }

@media (min-width: 60rem) {
  .page { grid-template-columns: 16rem minmax(0, 1fr); }
  .menu { position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); overflow-y: auto; border-right: 1px solid var(--line); padding: 1rem .75rem 3rem 1rem; scrollbar-width: thin; }
  main { padding: 2.5rem 3rem 6rem; }
  .pages { grid-template-columns: 1fr 1fr; }
}
@media (min-width: 78rem) {
  main:has(> .toc) { display: grid; grid-template-columns: minmax(0, 44rem) 14rem; gap: 0 3rem; justify-content: start; }
  main > :not(.toc) { grid-column: 1; }
  .toc { grid-column: 2; grid-row: 1 / span 2; position: sticky; top: 6rem; align-self: start; max-height: calc(100vh - 8rem); overflow-y: auto; border: 0; padding: 0; scrollbar-width: thin; }
  .sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 3rem; }
  .samples { position: sticky; top: 5rem; align-self: start; }
}
@media (max-width: 77.99rem) { .samples { margin-top: 1.75rem; } }
@supports selector(::details-content) {
  @media (min-width: 60rem) {
    .menu summary { display: none; }
    .menu details::details-content { content-visibility: visible; block-size: auto; }
  }
  @media (min-width: 78rem) {
    .toc details::details-content { content-visibility: visible; block-size: auto; }
    .toc summary { list-style: none; pointer-events: none; }
  }
}
@media (max-width: 40rem) {
  .top { flex-wrap: wrap; position: static; }
  .search { order: 1; flex: 1 1 100%; }
  html { scroll-padding-top: 1rem; }
  .compact { columns: 1; }
}
@media print { .menu, .toc, .top, .skip, .steps, .copy { display: none; } .page { display: block; } pre[tabindex] { max-height: none; } }
`;
