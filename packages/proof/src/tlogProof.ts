import { fromBase64, toBase64, utf8 } from './bytes.js';
import type { JsonValue } from './jcs.js';
import { ProofFormatError } from './proofFormatError.js';
import { parseProofText } from './proofText.js';

const HEADER = 'c2sp.org/tlog-proof@v1';

/** The answer of `GET /events/{id}/receipt`. */
export interface ReceiptFields {
  eventId: string;
  leafIndex: number;
  salt: string;
  fact: { readonly [name: string]: JsonValue };
  proof: readonly string[];
  checkpoint: string;
  /** Signature lines of witnesses. */
  cosignatures?: readonly string[] | undefined;
}

/**
 * A receipt as C2SP tlog-proof. Its entry is the commitment of the event. The extra data is JSON with
 * event id, salt and fact, from which the commitment is computed.
 */
export function formatTlogProof(receipt: ReceiptFields): string {
  const { eventId, leafIndex, salt, fact, proof, checkpoint, cosignatures = [] } = receipt;
  const extra = toBase64(utf8(JSON.stringify({ eventId, salt, fact })));
  const lines = [HEADER, `extra ${extra}`, `index ${leafIndex}`, ...proof, ''];
  return `${lines.join('\n')}\n${checkpoint}${cosignatures.map((line) => `${line.replace(/\n$/, '')}\n`).join('')}`;
}

export function isTlogProof(text: string): boolean {
  return text.startsWith(`${HEADER}\n`);
}

/** Reads what `formatTlogProof` writes. Throws ProofFormatError. */
export function parseTlogProof(text: string): ReceiptFields {
  const end = text.indexOf('\n\n');
  const [header, ...lines] = text.slice(0, end).split('\n');
  if (end < 0 || header !== HEADER) throw new ProofFormatError(`The proof does not start with ${HEADER}`);
  const extra = lines[0]?.startsWith('extra ')
    ? readExtra(lines.shift()?.slice('extra '.length) ?? '')
    : null;
  if (!extra)
    throw new ProofFormatError('The proof has no line `extra`, which holds the fact and its salt here');
  const index = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1];
  if (index === undefined) throw new ProofFormatError('The proof has no line `index` with a number');
  return { ...extra, leafIndex: Number(index), proof: lines, checkpoint: text.slice(end + 2) };
}

function readExtra(encoded: string): Pick<ReceiptFields, 'eventId' | 'salt' | 'fact'> {
  try {
    const bytes = fromBase64(encoded);
    const { eventId, salt, fact } = parseProofText(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? undefined),
    ) as ReceiptFields;
    return { eventId, salt, fact };
  } catch (error) {
    if (error instanceof ProofFormatError) throw error;
    throw new ProofFormatError('The line `extra` of the proof is not base64 of JSON');
  }
}
