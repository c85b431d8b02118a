import { gzipSync } from 'node:zlib';

/** A request that the service must refuse, as expensive to refuse as we could construct. */
export interface WorstBody {
  readonly name: string;
  readonly path: string;
  readonly type?: string;
  readonly encoding?: 'gzip';
  /** Sent without a key. */
  readonly isPublic?: true;
  body(): Buffer;
}

const MIB = 1024 * 1024;
const EVENTS = '/api/v1/events';
const IMPORTS = '/api/v1/imports';
const ID = '0199a3c2-9d10-7b44-8c2e-000000000007';
const RESPOND = `/api/v1/confirmations/${ID}/respond`;
/** Just below the maximum number of members. */
const MEMBERS = 14_900;

const text = (content: string) => Buffer.from(content);
const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i));
const emptyArrays = (bytes: number) => text(`["\\u0041"${',[]'.repeat(Math.floor(bytes / 3))}]`);
/** A different name of `width` letters for each index. */
const name = (index: number, width: number) => index.toString(36).padStart(width, 'k');

export const worstBodies: readonly WorstBody[] = [
  { name: '33 MB of empty arrays and an escape', path: IMPORTS, body: () => emptyArrays(31.9 * MIB) },
  {
    name: '1 MiB of empty arrays, without a key',
    path: RESPOND,
    isPublic: true,
    body: () => emptyArrays(MIB - 16),
  },
  {
    name: '1 MiB of empty arrays to an unknown address',
    path: '/api/v1/nowhere',
    isPublic: true,
    body: () => emptyArrays(MIB - 16),
  },
  {
    name: '16 KiB of empty objects, without a key',
    path: RESPOND,
    isPublic: true,
    body: () => text(`[${'{},'.repeat(5400)}{}]`),
  },
  { name: '1 MiB of brackets', path: EVENTS, body: () => text('['.repeat(MIB / 2) + ']'.repeat(MIB / 2)) },
  { name: '50 000 values', path: EVENTS, body: () => text(`[${'{},'.repeat(24_900)}"\\u0041"]`) },
  {
    name: 'objects with different names',
    path: EVENTS,
    body: () => text(`[${list(MEMBERS / 5, (i) => `{${list(5, (n) => `"${name(i * 5 + n, 8)}":0`)}}`)}]`),
  },
  {
    name: 'one object with unknown names',
    path: EVENTS,
    body: () => text(`{${list(MEMBERS, (i) => `"isVerifed${name(i, 4)}":"\\u0041"`)}}`),
  },
  {
    name: 'one name repeated',
    path: EVENTS,
    body: () => text(`{${list(MEMBERS, () => '"userId":"aaaaaaaaaaaaaaaaaaaaaaaaaaaa"')}}`),
  },
  {
    name: 'an invalid value after 1 MiB of escapes',
    path: EVENTS,
    body: () => text(`{"userId":"${'\\u0041'.repeat(174_000)}\\u0000"}`),
  },
  { name: '1 MiB of digits', path: EVENTS, body: () => text(`{"transactionValue":${'9'.repeat(MIB - 32)}}`) },
  {
    name: '5000 large integers',
    path: EVENTS,
    body: () => text(`{"metadata":[${list(4_990, (i) => String(9_007_199_254_740_993n + BigInt(i)))}]}`),
  },
  { name: 'a name of 1 MiB', path: EVENTS, body: () => text(`{"${'a'.repeat(MIB - 16)}":0}`) },
  {
    name: '49 000 invalid user ids',
    path: '/api/v1/users/scores',
    body: () => text(`{"userIds":[${list(49_000, () => '0')}]}`),
  },
  {
    name: '3800 user ids that are too long',
    path: '/api/v1/screenings',
    body: () => text(`{"userIds":[${list(3800, () => `"${'x'.repeat(256)}"`)}]}`),
  },
  {
    name: '500 invalid rows',
    path: '/api/v1/activation/campaigns',
    body: () =>
      text(
        JSON.stringify({
          name: 'x',
          rows: list(500, () => '').map(() =>
            Object.fromEntries(list(29, (n) => `${'stakelevl'}${name(n, 2)}`).map((key) => [key, 0])),
          ),
        }),
      ),
  },
  {
    name: 'a gzip bomb of 1 GiB',
    path: IMPORTS,
    encoding: 'gzip',
    body: () => gzipSync(Buffer.alloc(1024 * MIB, 0x20)),
  },
  {
    name: 'a gzip bomb of 1 GiB, without a key',
    path: RESPOND,
    isPublic: true,
    encoding: 'gzip',
    body: () => gzipSync(Buffer.alloc(15 * MIB, 0x20)),
  },
  {
    name: 'a form of 8000 fields',
    path: `/confirm/${ID}`,
    isPublic: true,
    type: 'application/x-www-form-urlencoded',
    body: () => text('a=&'.repeat(5300)),
  },
  {
    name: '32 MiB of quotation marks as CSV',
    path: IMPORTS,
    type: 'text/csv',
    body: () => text(`a,b\n"${'""'.repeat(15.9 * MIB)}`),
  },
  {
    name: '32 MiB of empty lines and commas as CSV',
    path: IMPORTS,
    type: 'text/csv',
    body: () => text(`a,b\n${',\n'.repeat(15.9 * MIB)}`),
  },
  {
    name: '32 MiB of JSON with an invalid file',
    path: IMPORTS,
    body: () => text(`{"mapping":{},"csv":"${'\\u00e9'.repeat(5.3 * MIB)}"}`),
  },
];
