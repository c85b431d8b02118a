import { type StepCode, type StepTexts, stepTexts } from './stepTexts.js';

export type StepName =
  | 'format'
  | 'checkpoint'
  | 'witnesses'
  | 'history'
  | 'kept'
  | 'event'
  | 'snapshot'
  | 'events'
  | 'completeness'
  | 'subject'
  | 'score'
  | 'reasons'
  | 'lateness'
  | 'age'
  | 'outcomes';

/** What a step says, for programs and other languages. */
export interface Finding {
  code: StepCode;
  params: object;
}

/** One check of a verification. */
export interface Step extends Finding {
  name: StepName;
  /** Null: could not be checked, the text says why. */
  ok: boolean | null;
  /** In English. `textOfStep` has it in other languages. */
  text: string;
}

type ParamsOf<Code extends StepCode> =
  Parameters<StepTexts[Code]> extends [infer Params extends object] ? [Params] : [];

type MakeStep = <Code extends StepCode>(name: StepName, code: Code, ...params: ParamsOf<Code>) => Step;

export const passed: MakeStep = (name, code, ...params) => stepOf(name, true, code, params);
export const failed: MakeStep = (name, code, ...params) => stepOf(name, false, code, params);
export const unchecked: MakeStep = (name, code, ...params) => stepOf(name, null, code, params);

function stepOf(name: StepName, ok: Step['ok'], code: StepCode, [params = {}]: readonly object[]): Step {
  return { name, ok, code, params, text: textOfStep({ code, params }, stepTexts) };
}

/** The sentence of a step in the language of these texts. A step may rest on another one. */
export function textOfStep({ code, params }: Finding, texts: StepTexts): string {
  const text = (texts[code] as (params: object) => string)(params);
  const { cause } = params as { cause?: Finding };
  return cause ? text + textOfStep(cause, texts) : text;
}
