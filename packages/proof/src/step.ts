export type StepName =
  | 'format'
  | 'checkpoint'
  | 'witnesses'
  | 'history'
  | 'event'
  | 'snapshot'
  | 'events'
  | 'completeness'
  | 'subject'
  | 'score'
  | 'age';

/** One check of a verification. */
export interface Step {
  name: StepName;
  /** Null: could not be checked, the text says why. */
  ok: boolean | null;
  text: string;
}

export function passed(name: StepName, text: string): Step {
  return { name, ok: true, text };
}

export function failed(name: StepName, text: string): Step {
  return { name, ok: false, text };
}

export function unchecked(name: StepName, text: string): Step {
  return { name, ok: null, text };
}
