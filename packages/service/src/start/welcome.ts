import { isIPv6 } from 'node:net';

/** What the first start shows the operator. */
export interface Welcome {
  /** Where to try the keys; null if the service could not listen or created no keys. */
  address: string | null;
  /** null: set by BOOTSTRAP_* or written to `keyFile`, so not shown. */
  liveKey: string | null;
  testKey: string | null;
  keyFile: string | null;
  /** null: set by ADMIN_SECRET, or shown before. */
  adminSecret: { value: string; path: string } | null;
  /** Opens the console once; null if there is none. */
  signInLink: string | null;
}

/** Printed once. It must be readable on a terminal and in a log. */
export function welcomeText(welcome: Welcome): string {
  return [
    '',
    '  Reliability score service: first secrets',
    '',
    ...secretLines(welcome),
    ...(welcome.signInLink === null ? [] : consoleLines(welcome.signInLink)),
    ...(welcome.address === null ? [] : firstSteps(welcome.address, welcome)),
    '',
  ].join('\n');
}

function secretLines({ liveKey, testKey, keyFile, adminSecret }: Welcome): string[] {
  const entries = [
    ...(liveKey === null ? [] : [`  live key      ${liveKey}`]),
    ...(testKey === null ? [] : [`  test key      ${testKey}`]),
    ...(keyFile === null ? [] : [`  first keys    in ${keyFile}, readable only by its owner`]),
    ...(adminSecret === null
      ? []
      : [`  admin secret  ${adminSecret.value}`, `                stored in ${adminSecret.path}`]),
  ];
  if (liveKey === null && testKey === null) return entries;
  return [
    ...entries,
    '',
    '  Save the keys now. They are shown only once; the service stores only their hashes.',
  ];
}

function consoleLines(signInLink: string): string[] {
  return [
    '',
    '  Open the console, signed in with the test key (works once, within 10 minutes):',
    '',
    `  ${signInLink}`,
  ];
}

/** The first event goes to test mode, because the live ledger would keep it forever. */
function firstSteps(address: string, { testKey, keyFile }: Welcome): string[] {
  const key = testKey ?? (keyFile === null ? '$BOOTSTRAP_TEST_KEY' : '$TEST_KEY');
  const authorization = `-H "Authorization: Bearer ${key}"`;
  const source = keyFile === null || testKey !== null ? '' : `. '${keyFile}' && `;
  const body = `-H 'Content-Type: application/json' -d '${JSON.stringify(FIRST_EVENT)}'`;
  return [
    '',
    `  The service is at ${address}, the API reference at ${address}/docs`,
    '',
    '  Report an outcome in test mode:',
    '',
    `${source}curl -sS ${address}/api/v1/events ${authorization} ${body}`,
    '',
    '  Then read the score:',
    '',
    `${source}curl -sS ${address}/api/v1/users/${FIRST_EVENT.userId}/score ${authorization}`,
  ];
}

const FIRST_EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED', isVerified: true };

/** The address of this server for clients on this machine. */
export function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
