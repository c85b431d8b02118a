import { CopyButton } from '../../kit/CopyButton.tsx';
import { Moment } from '../../kit/parts.tsx';
import { texts } from './texts.ts';

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
