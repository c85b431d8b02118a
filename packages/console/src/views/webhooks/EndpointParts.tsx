import type { AnswerOf } from '../../kit/api.ts';
import { CopyButton } from '../../kit/Button.tsx';
import { type Attempts, healthOf } from '../../kit/endpointHealth.ts';
import { wordsFor } from '../../kit/enumTexts.ts';
import { formatMoment, formatNumber, formatPercent } from '../../kit/format.ts';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Moment } from '../../kit/parts.tsx';
import { texts } from './texts.ts';

export type Endpoint = AnswerOf<'GET /webhooks'>['webhooks'][number];

/** Whether it receives anything, and why not, with its share of errors. */
export function EndpointState({ of, hours }: { of: Endpoint; hours: Attempts | undefined }) {
  const { state, errorShare, attempts } = healthOf(of, hours);
  const look = state === 'active' ? 'good' : state === 'paused' ? 'warn' : 'bad';
  return (
    <>
      <strong class={look}>
        {state === 'active' || state === 'paused' ? kitTexts[state] : texts[state]}
      </strong>
      {errorShare !== null && errorShare > 0 && (
        <>
          {' · '}
          {texts.errorShare(formatPercent(errorShare, errorShare < 0.1 ? 1 : 0), formatNumber(attempts))}
        </>
      )}
      {of.isActive && of.failingSince && (
        <>
          {' · '}
          {texts.noneSince} <Moment at={of.failingSince} distance />
        </>
      )}
    </>
  );
}

/** What a delivery reports, in words, and as programs name it. */
export function TypeName({ of }: { of: string }) {
  return (
    <>
      {wordsFor('webhookEventType', of)} <code class="soft">{of}</code>
    </>
  );
}

interface StripProps {
  from: string;
  succeeded: readonly number[];
  failed: readonly number[];
}

const HOUR_MS = 3_600_000;
const HEIGHT = 32;
/** A lone failure must be seen beside thousands of successes. */
const LEAST = 3;

/** The attempts of an endpoint by hour, as bars: failed ones on top. */
export function Strip({ from, succeeded, failed }: StripProps) {
  const most = Math.max(1, ...succeeded.map((count, hour) => count + (failed[hour] ?? 0)));
  const height = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * HEIGHT));
  const sum = (counts: readonly number[]) => formatNumber(counts.reduce((total, count) => total + count, 0));
  return (
    <div class="strip" role="img" aria-label={texts.strip(sum(succeeded), sum(failed))}>
      {succeeded.map((good, hour) => {
        const bad = failed[hour] ?? 0;
        const at = formatMoment(new Date(Date.parse(from) + hour * HOUR_MS));
        const text = good + bad === 0 ? texts.noAttempts : texts.hour(formatNumber(good), formatNumber(bad));
        return (
          <span key={hour} class="strip-hour" title={`${at}: ${text}`}>
            <span class="strip-failed" style={{ height: `${height(bad)}px` }} />
            <span class="strip-succeeded" style={{ height: `${height(good)}px` }} />
          </span>
        );
      })}
    </div>
  );
}

/** A new signing secret. The service cannot show it a second time. */
export function SecretOnce({ secret, previousEndsAt }: { secret: string; previousEndsAt?: string }) {
  return (
    <div class="form">
      <p>
        <strong>{texts.secretOnce}</strong>
      </p>
      <label>
        {texts.secret}
        <input readOnly value={secret} dir="ltr" onFocus={(event) => event.currentTarget.select()} />
      </label>
      {previousEndsAt && (
        <p class="soft">
          {texts.previousEnds} <Moment at={previousEndsAt} />
        </p>
      )}
      <div class="actions">
        <CopyButton text={secret} />
      </div>
    </div>
  );
}
