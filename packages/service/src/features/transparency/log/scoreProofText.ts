import type { ProofMember, ScoreProof } from '#ledger/log/scoreProof.js';

/**
 * The JSON of a proof. A thousand events are 1.3 MB, of which most are hashes: JSON.stringify would
 * look for quotes in each, and Node would encode the text as UTF-8. Both take longer than the proof.
 */
export function scoreProofText(userId: string, { members, eventProofs, ...rest }: ScoreProof): Buffer {
  const head = Buffer.from(JSON.stringify({ userId, ...rest }).slice(0, -1));
  const ascii = [
    ',"members":[',
    ...members.flatMap((member, index) => [index === 0 ? '' : ',', ...memberTexts(member)]),
    '],"eventProofs":[',
    ...separated(eventProofs),
    ']}',
  ];
  const body = Buffer.allocUnsafe(ascii.reduce((sum, text) => sum + text.length, head.length));
  let at = head.copy(body);
  // Piece by piece: one text of all would be another megabyte to collect.
  for (const text of ascii) at += body.write(text, at, 'latin1');
  return body;
}

function memberTexts({ events, ...named }: ProofMember): string[] {
  const head = JSON.stringify(named).slice(0, -1);
  return [`${head}${head === '{' ? '' : ','}"events":[`, ...separated(events), ']}'];
}

function separated(texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => (index === 0 ? [text] : [',', text]));
}
