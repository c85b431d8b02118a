import type { TextModel } from '#kit/ai.js';

/**
 * What may be retold. Declared here and not taken from the domain: AI code sees no part of the
 * scoring (import rule).
 */
export interface Retold {
  summary: string;
  strengths: readonly Point[];
  risks: readonly Point[];
}

interface Point {
  code: string;
  text: string;
  evidence: Readonly<Record<string, number | string | null>>;
}

export interface Narrative {
  text: string;
  model: string;
  advisory: true;
}

/** Null where no AI is set up, or it gave nothing that can be shown. Never rejects. */
export type Narrate = (retold: Retold) => Promise<Narrative | null>;

/**
 * An advisory retelling of a trust summary by the operator's AI (RULES S3). Nothing reads it back:
 * it can move no score.
 */
export function createNarrate(ai: TextModel | null): Narrate {
  return async (retold) => {
    if (!ai) return null;
    const text = await ai.write({ task: TASK, material: materialOf(retold), isFine: isFreeOfVerdicts });
    return text === null ? null : { text, model: ai.name, advisory: true };
  };
}

const TASK = `You retell a short summary of a work record to the person it is about.
Write at most 120 words of plain text in short everyday sentences. No lists, no headings, no markup, no links.
Use only the figures in the summary you are given, and change none of them. Add no fact, guess or prediction.
Describe only. Judge nobody, give no advice, and say nothing of what anybody ought to do because of this record.`;

/**
 * Nothing of the person leaves the house but figures: no external id, no name, no metadata, no
 * reference of a counterparty. The sentences are the service's own, made of counts and rates; of
 * the evidence only numbers go along, so that a text which some later reason might carry stays here
 * too. With no words of others in it, nothing in the prompt can give the AI orders.
 */
function materialOf({ summary, strengths, risks }: Retold): string {
  return JSON.stringify({ summary, strengths: strengths.map(figuresOf), risks: risks.map(figuresOf) });
}

function figuresOf({ code, text, evidence }: Point) {
  const figures = Object.entries(evidence).filter(([, value]) => typeof value === 'number');
  return { code, text, evidence: Object.fromEntries(figures) };
}

/** The service publishes no verdict, not even one in the words of somebody else's machine. */
function isFreeOfVerdicts(text: string): boolean {
  return !VERDICT.test(text);
}

const VERDICT =
  /\b(?:should|ought|recommend(?:s|ed|ation)?|approv(?:e|es|ed|al)|reject(?:s|ed|ion)?|hir(?:e|es|ed|ing)|den(?:y|ies|ied|ial))\b/i;
