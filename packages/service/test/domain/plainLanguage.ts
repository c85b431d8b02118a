/** The problems of a text, as messages for the failing test. Empty: the text is plain. */
export function errorsOf(text: string): string[] {
  const plain = text.replace(/`[^`]*`/g, 'name').replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, 'name');
  const long = sentencesOf(plain).filter((sentence) => wordsOf(sentence).length > MAX_WORDS);
  const jargon = wordsOf(plain).filter((word) => JARGON.test(word));
  const heavy = wordsOf(plain).filter((word) => word.length > MAX_LETTERS);
  return [
    ...long.map((sentence) => `more than ${MAX_WORDS} words: ${sentence}`),
    ...jargon.map((word) => `jargon: ${word} (${text})`),
    ...heavy.map((word) => `a word of more than ${MAX_LETTERS} letters: ${word} (${text})`),
    ...(VERDICT.test(plain) ? [`a verdict: ${text}`] : []),
    ...(/\b(?:undefined|null|NaN|Infinity)\b|\[object/.test(plain) ? [`not a sentence: ${text}`] : []),
    ...(/^[A-Z0-9].*[.]$/s.test(plain) ? [] : [`not a whole sentence: ${text}`]),
  ];
}

const MAX_WORDS = 24;
const MAX_LETTERS = 13;

/** Technical, statistical and legal terms that have an everyday word. */
const JARGON =
  /^(?:adverse|aggregat\w*|algorithm\w*|anchor|attest\w*|attribut\w*|behaviou?ral|breach\w*|cohort|compliance|counterpart\w*|decay\w*|derog\w*|discrepan\w*|entit(?:y|ies)|evidenced|gate|hash\w*|heretofore|idempoten\w*|ingest\w*|ledger|metadata|metric\w*|mitigat\w*|multiplier\w*|obligation\w*|parameter\w*|payload|percentile|pursuant|remediat\w*|signal\w*|snapshot\w*|subject|tally|tallies|threshold\w*|utili[sz]\w*|velocity|weighted)$/i;

/** The service describes and never concludes. */
export const VERDICT =
  /\b(?:should|ought|must|recommend\w*|approv\w*|reject\w*|hir(?:e|es|ed|ing)|den(?:y|ies|ied|ial)|trustworthy|unreliable|unsuitable|eligible)\b/i;

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.:;!?])\s+/).filter((sentence) => sentence !== '');
}

function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z][A-Za-z'-]*/g) ?? [];
}
