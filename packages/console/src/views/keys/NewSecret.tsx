import { CopyButton } from '../../kit/CopyButton.tsx';
import { texts } from './texts.ts';

interface NewSecretProps {
  secret: string;
  warnings: readonly { code: string; message: string }[];
  onDone: () => void;
}

/** A key, the only time that it is shown. */
export function NewSecret({ secret, warnings, onDone }: NewSecretProps) {
  return (
    <>
      <p>{texts.once}</p>
      <pre class="code secret">{secret}</pre>
      {warnings.map(({ code, message }) => (
        <p key={code} class="note">
          {message}
        </p>
      ))}
      <div class="actions">
        <CopyButton text={secret} />
        <button type="button" class="primary" onClick={onDone}>
          {texts.done}
        </button>
      </div>
    </>
  );
}
