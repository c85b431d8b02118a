import { gzipSync } from 'node:zlib';

/** The same request several times at once, as many as one platform can have in flight, and more. */
export interface HeavyMix {
  readonly name: string;
  readonly copies: number;
  readonly path: string;
  readonly type?: string;
  readonly encoding?: 'gzip';
  body(): Buffer;
}

const MIB = 1024 * 1024;
/** Just below the largest body of an import. */
const WHOLE = 31.9 * MIB;
const EVENTS = '/api/v1/events';
const IMPORTS = '/api/v1/imports';
const DRY_RUN = `${IMPORTS}/dry-run`;
const MAPPING = { userId: { path: 'a' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
const QUOTES = 32_000;

const text = (content: string) => Buffer.from(content);
const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i));
const name = (index: number, width: number) => index.toString(36).padStart(width, 'k');
/** Repeats `row` to a body of almost 32 MiB: the mapping, and a file with this header. */
function withFile(header: string, row: string): Buffer {
  const [before = '', after = ''] = JSON.stringify({ mapping: MAPPING, csv: '@' }).split('@');
  const inner = JSON.stringify(row).slice(1, -1);
  const room = WHOLE - before.length - after.length - header.length - 4;
  const rows = Math.min(49_900, Math.floor(room / Buffer.byteLength(inner)));
  return text(`${before}${header}\\n${inner.repeat(rows)}${after}`);
}
const quotedCells = () => withFile('a,b', `w,"${'""'.repeat(QUOTES / 4)}"\n`);
const columns = (count: number) => ['a', ...list(count - 1, (i) => name(i, 3))].join(',');

export const heavyMixes: readonly HeavyMix[] = [
  { name: 'two dry-runs of quotation marks', copies: 2, path: DRY_RUN, body: quotedCells },
  {
    name: 'two dry-runs of one cell of quotation marks',
    copies: 2,
    path: DRY_RUN,
    body: () => withFile('a,b', `w,"${'""'.repeat(5.3 * MIB)}"\n`),
  },
  {
    name: 'five dry-runs of long rows',
    copies: 5,
    path: DRY_RUN,
    body: () => withFile('a,b', `worker-1,${'é'.repeat(300)}\n`),
  },
  {
    name: 'five imports of a thousand columns',
    copies: 5,
    path: IMPORTS,
    body: () => withFile(columns(1000), `w${',ab'.repeat(999)}\n`),
  },
  {
    name: 'five dry-runs of rows with more cells than columns',
    copies: 5,
    path: DRY_RUN,
    body: () => withFile('a', `w${',ab'.repeat(999)}\n`),
  },
  {
    name: 'five imports of wide characters',
    copies: 5,
    path: IMPORTS,
    body: () => withFile('a,b', `w\u4e00,${'a'.repeat(650)}\n`),
  },
  {
    name: 'five imports of escaped characters',
    copies: 5,
    path: IMPORTS,
    body: () =>
      text(
        `{"mapping":${JSON.stringify(MAPPING)},"csv":"a,b\\n${`w,${'\\u4e00'.repeat(110)}\\n`.repeat(49_000)}"}`,
      ),
  },
  {
    name: 'five constants of 30 MB',
    copies: 5,
    path: IMPORTS,
    body: () =>
      text(
        JSON.stringify({
          mapping: { ...MAPPING, verifiedBy: { constant: '\u4e00'.padEnd(30e6, 'a') } },
          csv: 'a\nb',
        }),
      ),
  },
  {
    name: 'five bodies of 32 MiB of empty arrays',
    copies: 5,
    path: IMPORTS,
    body: () => text(`["\\u0041"${',[]'.repeat(WHOLE / 3 - 8)}]`),
  },
  {
    name: 'five bodies of 32 MiB with the most values',
    copies: 5,
    path: IMPORTS,
    body: () => text(`{"csv":[${list(49_000, (i) => `"\u4e00${name(i, 630)}"`)}]}`),
  },
  {
    name: 'twenty packed files of quotation marks',
    copies: 20,
    path: DRY_RUN,
    encoding: 'gzip',
    body: () => gzipSync(quotedCells()),
  },
  {
    name: 'twenty packed bodies of 1 GiB',
    copies: 20,
    path: IMPORTS,
    encoding: 'gzip',
    body: () => gzipSync(Buffer.alloc(1024 * MIB, 0x20)),
  },
  {
    name: '200 bodies of 1 MiB with escaped names',
    copies: 200,
    path: EVENTS,
    body: () => text(`{"metadata":{${list(14_900, (i) => `"\\u0041${name(i, 55)}":0`)}}}`),
  },
  {
    name: '200 bodies of 1 MiB with many arrays',
    copies: 200,
    path: EVENTS,
    body: () =>
      text(
        `{"metadata":[${list(49_000, (i) => `["${name(i, 15)}"]`)
          .join()
          .slice(0, -1)}]}`.slice(0, MIB),
      ),
  },
  {
    name: '500 bodies of 63 kB',
    copies: 500,
    path: EVENTS,
    body: () => text(`{"metadata":{${list(3000, (i) => `"${name(i, 10)}":[]`)}}}`),
  },
];
