import { randomUUID } from 'node:crypto';
import type { WorstBody } from './worstBodies.js';

const MIB = 1024 * 1024;
const EVENTS = '/api/v1/events';
const IMPORTS = '/api/v1/imports';

const text = (content: string) => Buffer.from(content);
const json = (content: unknown) => text(JSON.stringify(content));
const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => item(i));
const escaped = (name: string) =>
  [...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const name = (index: number, width: number) => index.toString(36).padStart(width, 'k');

/** NFKC makes eighteen letters of each. */
const EXPANDING = '\ufdfa'.repeat(255);
const ASKED = {
  userId: 'worker-1',
  eventType: 'CONTRACT_FULFILLED',
  counterpartyRef: EXPANDING,
  description: EXPANDING,
};
const REPORTED = { worker: 'worker-1', kind: 'CONTRACT_FULFILLED', ok: true, client: EXPANDING };
const MAPPING = {
  userId: { path: 'worker' },
  eventType: { path: 'kind' },
  isVerified: { path: 'ok' },
  verifiedBy: { path: 'client' },
};
const EVENT = '"userId":"worker-1","eventType":"TRANSACTION_COMPLETED"';
const csv = (rows: number, client: string) =>
  `worker,kind,ok,client\n${list(rows, () => `worker-1,CONTRACT_FULFILLED,true,${client}\n`).join('')}`;

/** Requests within the limits, or just beyond one, as expensive as we could construct. */
export const dearBodies: readonly WorstBody[] = [
  {
    name: 'a campaign of 500 rows with names that expand',
    path: '/api/v1/activation/campaigns',
    body: () => json({ name: randomUUID(), rows: list(500, (i) => ({ rowKey: `r${i}`, ...ASKED })) }),
  },
  {
    name: '100 confirmations with names that expand',
    path: '/api/v1/confirmations/batch',
    body: () => json({ confirmations: list(100, () => ASKED) }),
  },
  {
    name: '100 records with names that expand',
    path: '/api/v1/ingest',
    body: () => json({ mapping: MAPPING, records: list(100, () => REPORTED) }),
  },
  {
    name: 'an import of 100 rows with names that expand',
    path: IMPORTS,
    body: () => json({ mapping: MAPPING, csv: csv(100, EXPANDING) }),
  },
  {
    name: 'an import of 1000 rows with names that expand',
    path: IMPORTS,
    body: () => json({ mapping: MAPPING, csv: csv(1000, EXPANDING) }),
  },
  {
    name: '100 events with the longest fields',
    path: '/api/v1/events/batch',
    body: () =>
      json({
        events: list(100, (i) => ({
          userId: `worker-${i}`,
          eventType: 'TRANSACTION_COMPLETED',
          metadata: Object.fromEntries(list(140, (n) => [name(n, 30), EXPANDING.slice(0, 8)])),
        })),
      }),
  },
  {
    name: 'escaped names',
    path: EVENTS,
    body: () => text(`{${EVENT},"metadata":{${list(14_900, (i) => `"${escaped(name(i, 10))}":0`)}}}`),
  },
  {
    name: 'escaped names that repeat at the end',
    path: EVENTS,
    body: () =>
      text(
        `{${EVENT},"metadata":{${list(14_900, (i) => `"${escaped(name(i, 10))}":0`)},"${escaped(name(1, 10))}":0}}`,
      ),
  },
  {
    name: 'escaped names of an operation that writes no ledger',
    path: '/api/v1/users/scores',
    body: () => text(`{${list(14_900, (i) => `"${escaped(name(i, 10))}":0`)}}`),
  },
  {
    name: 'a name repeated after 2900 objects',
    path: EVENTS,
    body: () =>
      text(
        `{${EVENT},"metadata":[${list(2900, (i) => `{${list(5, (n) => `"${name(i * 5 + n, 8)}":"${'y'.repeat(50)}"`)}}`)},{"a":1,"a":2}]}`,
      ),
  },
  {
    name: 'a name repeated after 1 MiB of quotation marks',
    path: EVENTS,
    body: () => text(`{"a":"${'\\"'.repeat(MIB / 2 - 100)}","a":0}`),
  },
  {
    name: '49 000 escaped texts',
    path: EVENTS,
    body: () => text(`{${EVENT},"metadata":[${list(49_000, (i) => `"\\u0041${name(i, 11)}"`)}]}`),
  },
  {
    name: 'integers of 200 digits',
    path: EVENTS,
    body: () => text(`{${EVENT},"metadata":[${list(4990, (i) => '9'.repeat(196) + String(10_000 + i))}]}`),
  },
  {
    name: 'integers of 200 digits in records',
    path: '/api/v1/ingest',
    body: () =>
      text(
        `{"mapping":${JSON.stringify(MAPPING)},"records":[${list(100, () => `{"n":[${list(49, (i) => '9'.repeat(196) + String(10_000 + i))}]}`)}]}`,
      ),
  },
  {
    name: 'fractions of 700 digits',
    path: EVENTS,
    body: () => text(`{${EVENT},"metadata":[${list(1400, (i) => `0.${'9'.repeat(695)}${10_000 + i}`)}]}`),
  },
  {
    name: '45 000 small exponents',
    path: EVENTS,
    body: () => text(`{${EVENT},"metadata":[${list(45_000, (i) => `1.9999999999${10_000 + i}e-250`)}]}`),
  },
  {
    name: 'an import of one cell of 1 MiB in JSON',
    path: IMPORTS,
    body: () => json({ mapping: MAPPING, csv: `worker\n${'a'.repeat(MIB - 300)}` }),
  },
  {
    name: 'an import of one cell of 100 kB in JSON',
    path: IMPORTS,
    body: () => json({ mapping: MAPPING, csv: `worker\n${'a'.repeat(100_000)}` }),
  },
  {
    name: 'an import of one cell of 32 MiB in JSON',
    path: IMPORTS,
    body: () => json({ mapping: MAPPING, csv: `worker\n${'a'.repeat(31 * MIB)}` }),
  },
  {
    name: 'an import of one cell of 32 MiB',
    path: IMPORTS,
    type: 'text/csv',
    body: () => text(`worker\n${'a'.repeat(31.9 * MIB)}`),
  },
  {
    name: 'an import of 1000 cells of 30 kB',
    path: `${IMPORTS}/dry-run`,
    body: () => json({ mapping: MAPPING, csv: csv(1000, 'a'.repeat(30_000)) }),
  },
  {
    name: 'a dry-run of 32 MiB of rows',
    path: `${IMPORTS}/dry-run`,
    body: () => json({ mapping: MAPPING, csv: csv(10_000, EXPANDING) }),
  },
  {
    name: 'a mapping of 14 000 rules beside 2 MiB',
    path: IMPORTS,
    body: () =>
      json({
        mapping: { ...MAPPING, metadata: Object.fromEntries(list(7000, (i) => [name(i, 8), { path: 'a' }])) },
        csv: 'a'.repeat(2 * MIB),
      }),
  },
];

/** Read once by a process that has just started. */
export const firstPages: readonly string[] = [
  '/docs',
  '/openapi.json',
  '/docs/reference/events',
  '/docs/search.json',
  '/docs/operating',
];
