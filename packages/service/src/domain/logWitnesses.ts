import { NoteError, parseVerifierKey, signatureTypes, type VerifierKey } from '@reliability/proof';

export interface LogWitness {
  key: VerifierKey;
  /** The address under which it has `/add-checkpoint`. */
  url: string;
}

const MAX_WITNESSES = 16;
const MAX_WITNESSED_LOGS = 1000;

/** `LOG_WITNESSES`: "key address" each. The message of its errors continues the name of the setting. */
export function parseWitnesses(text: string): LogWitness[] {
  const witnesses = partsOf(text, ',').map((entry) => {
    const [vkey = '', url = '', ...rest] = entry.split(/\s+/);
    if (url === '' || rest.length > 0) {
      throw new Error(`must be "key address" for each witness, separated by commas ("${entry}" is not)`);
    }
    return { key: keyOf(vkey, signatureTypes.cosignature), url: addressOf(url) };
  });
  if (witnesses.length > MAX_WITNESSES) throw new Error(`must name at most ${MAX_WITNESSES} witnesses`);
  refuseTwice(witnesses.map(({ key }) => key));
  return witnesses;
}

/** `LOG_WITNESS_FOR`. A log that is changing its key has two. Throws as `parseWitnesses`. */
export function parseWitnessedLogs(text: string): VerifierKey[] {
  const keys = partsOf(text, /[\s,]+/).map((vkey) => keyOf(vkey, signatureTypes.ed25519));
  if (keys.length > MAX_WITNESSED_LOGS) throw new Error(`must name at most ${MAX_WITNESSED_LOGS} keys`);
  refuseTwice(keys);
  return keys;
}

function partsOf(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const WHOSE = { [signatureTypes.ed25519]: 'a log', [signatureTypes.cosignature]: 'a witness' } as const;

function keyOf(vkey: string, type: VerifierKey['type']): VerifierKey {
  let key: VerifierKey;
  try {
    key = parseVerifierKey(vkey);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new Error(`has a key that cannot be read. ${error.message}`);
  }
  if (key.type === type) return key;
  throw new Error(`has ${vkey}, which is the key of ${WHOSE[key.type]}, not of ${WHOSE[type]}`);
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (isPlain) return text.replace(/(?<!\/)\/+$/, '');
  throw new Error(`must have addresses such as https://witness.example/log/witness ("${text}" is not)`);
}

function refuseTwice(keys: readonly VerifierKey[]): void {
  const ids = keys.map(({ name, id }) => `${name}+${id}`);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw new Error(`has the key ${twice} twice`);
}
