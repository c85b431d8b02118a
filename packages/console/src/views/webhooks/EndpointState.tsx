import type { AnswerOf } from '../../kit/api.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { texts } from './texts.ts';

export type Endpoint = AnswerOf<'GET /webhooks'>['webhooks'][number];

/** Whether it receives anything, and why not. */
export function EndpointState({ of: { isActive, disabledReason } }: { of: Endpoint }) {
  if (isActive) return <strong class="good">{kitTexts.active}</strong>;
  return disabledReason ? (
    <strong class="bad">{texts[disabledReason]}</strong>
  ) : (
    <strong class="warn">{kitTexts.paused}</strong>
  );
}
