import { requestOf } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Field, FormDialog } from '../../kit/form.tsx';
import { PlanFields } from './PlanFields.tsx';
import { texts } from './texts.ts';

/** Creates a platform and shows its two keys once. */
export function CreatePlatform({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={texts.create}
      submit={texts.create}
      call={(given) => requestOf('POST /admin/platforms', { body: Object.fromEntries(given) })}
      onceTitle={texts.made}
      once={({ keys: { live, test } }) => (
        <>
          <p>{texts.once}</p>
          {[
            { name: texts.liveKey, key: live.key },
            { name: texts.testKey, key: test.key },
          ].map(({ name, key }) => (
            <div key={name}>
              <h3>{name}</h3>
              <pre class="code">{key}</pre>
              <CopyButton text={key} />
            </div>
          ))}
          <p class="actions">
            <button type="button" class="primary" onClick={onClose}>
              {texts.done}
            </button>
          </p>
        </>
      )}
      onClose={onClose}
    >
      <Field name="name" label={texts.name} required maxLength={255} />
      <PlanFields plan="starter" trustTier="STARTER" />
    </FormDialog>
  );
}
