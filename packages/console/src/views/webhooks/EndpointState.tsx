import type { AnswerOf } from '../../kit/api.ts';
import { t } from '../../kit/texts.ts';
import { texts as catalogue } from './texts.ts';

export type Endpoint = AnswerOf<'GET /webhooks'>['webhooks'][number];

/** Whether it receives anything, and why not. */
export function EndpointState({ of: { isActive, disabledReason } }: { of: Endpoint }) {
  const texts = t(catalogue);
  if (isActive) return <strong class="good">{texts.active}</strong>;
  return disabledReason ? (
    <strong class="bad">{texts[disabledReason]}</strong>
  ) : (
    <strong class="warn">{texts.paused}</strong>
  );
}
