import { isIPv6 } from 'node:net';

/** What the first start has to tell the person who made it. */
export interface Welcome {
  /** Where the keys can be tried; null when it could not listen, or made no keys. */
  address: string | null;
  /** null: fixed by BOOTSTRAP_*, or written to `keyFile`; not shown. */
  liveKey: string | null;
  testKey: string | null;
  keyFile: string | null;
  /** null: it was given from outside or shown before. */
  adminSecret: { value: string; path: string } | null;
}

/** Text for people, printed once; readable on a terminal and between the lines of a log. */
export function welcomeText(welcome: Welcome): string {
  return [
    '',
    '  Reliability score service: first secrets',
    '',
    ...secretLines(welcome),
    ...(welcome.address === null ? [] : firstSteps(welcome.address, welcome)),
    '',
  ].join('\n');
}

function secretLines({ liveKey, testKey, keyFile, adminSecret }: Welcome): string[] {
  const entries = [
    ...(liveKey === null ? [] : [`  live key      ${liveKey}`]),
    ...(testKey === null ? [] : [`  test key      ${testKey}`]),
    ...(keyFile === null ? [] : [`  first keys    in ${keyFile}, which its owner alone can read`]),
    ...(adminSecret === null
      ? []
      : [`  admin secret  ${adminSecret.value}`, `                kept in ${adminSecret.path}`]),
  ];
  if (liveKey === null && testKey === null) return entries;
  return [...entries, '', '  The keys are shown this once, and only their hashes are kept: store them now.'];
}

/** The first try goes to the test mode: the live ledger would keep it for good. */
function firstSteps(address: string, { testKey, keyFile }: Welcome): string[] {
  const key = testKey ?? (keyFile === null ? '$BOOTSTRAP_TEST_KEY' : '$TEST_KEY');
  const authorization = `-H "Authorization: Bearer ${key}"`;
  const source = keyFile === null || testKey !== null ? '' : `. '${keyFile}' && `;
  const body = `-H 'Content-Type: application/json' -d '${JSON.stringify(FIRST_EVENT)}'`;
  return [
    '',
    `  It answers at ${address}, its API reference at ${address}/docs`,
    '',
    '  Report an outcome, in test mode:',
    '',
    `${source}curl -sS ${address}/api/v1/events ${authorization} ${body}`,
    '',
    '  and a moment later read the score:',
    '',
    `${source}curl -sS ${address}/api/v1/users/${FIRST_EVENT.userId}/score ${authorization}`,
  ];
}

const FIRST_EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED', isVerified: true };

/** How to reach a server on this machine that listens on `host` and `port`. */
export function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
