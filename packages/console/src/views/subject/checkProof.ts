import { parseVerifierKey, type Verification, verify } from '@reliability/proof';

interface LogKeys {
  vkey: string;
  retiredKeys?: string[];
}

/** Checks a proof with the published keys of the log: the same code as the page /check and the command. */
export async function checkProof(text: string): Promise<Verification> {
  const response = await fetch('/.well-known/ledger-log.json', { cache: 'no-store' });
  const { otherLogs = [], ...first } = (await response.json()) as LogKeys & { otherLogs?: LogKeys[] };
  const logKey = [first, ...otherLogs]
    .flatMap(({ vkey, retiredKeys = [] }) => [vkey, ...retiredKeys])
    .map(parseVerifierKey);
  return verify(JSON.parse(text), { logKey, now: new Date() });
}
