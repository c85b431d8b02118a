import { type Step, textOfStep } from '@reliability/proof';
import type { Finding } from './outcome.js';
import type { Texts } from './texts.js';

/** The operator decides how many cosignatures a checkpoint needs. Without any, the question stays open. */
export function openIfUnwitnessed(step: Step): Step {
  const isUnwitnessed =
    step.code === 'cosigned' && (step.params as { witnesses: string[] }).witnesses.length === 0;
  return isUnwitnessed ? { ...step, ok: null } : step;
}

export function findingOf({ name, ok, code, params }: Step, texts: Texts): Finding {
  return { question: texts.steps[name], ok, text: textOfStep({ code, params }, texts.verifier) };
}
