import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Check, Field, FormDialog, Select } from '../../kit/form.tsx';
import { mode } from '../../kit/session.ts';
import { NewSecret } from './NewSecret.tsx';
import { texts } from './texts.ts';

const RESOURCES = ['events', 'scores', 'usage', 'webhooks', 'admin'] as const;
const ACTIONS = ['read', 'write'] as const;
const LIVES = ['30', '90', '365', ''] as const;

/** Creates a key with chosen scopes. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const isFull = useSignal(false);
  return (
    <FormDialog
      title={texts.create}
      submit={texts.create}
      call={(given) => {
        const scopes = isFull.value ? [] : given.getAll('scope').map(String);
        if (!isFull.value && scopes.length === 0) return texts.chooseOne;
        const networks = given.text('networks')?.split(/[\s,]+/);
        const body = {
          label: given.text('label') ?? null,
          scopes,
          ...(given.has('isTest') && { isTest: true }),
          ...(given.text('life') && { expiresInDays: given.number('life') }),
          ...(networks && { allowedCidrs: networks.filter((network) => network !== '') }),
        };
        return requestOf('POST /platform/keys', { body });
      }}
      onceTitle={texts.made}
      once={({ key, warnings }) => <NewSecret secret={key} warnings={warnings} onDone={onClose} />}
      onClose={onClose}
    >
      <Field name="label" label={texts.name} hint={texts.nameHint} maxLength={255} />
      <Check
        label={texts.fullAccess}
        checked={isFull.value}
        onChange={(event) => (isFull.value = event.currentTarget.checked)}
      />
      {!isFull.value && <ScopeGrid />}
      {mode.value === 'live' && <Check name="isTest" label={texts.testKey} />}
      <Select name="life" label={texts.life} of={LIVES} textOf={(days) => texts.lives[days]} chosen="365" />
      <Field name="networks" label={texts.networks} hint={texts.networksHint} />
    </FormDialog>
  );
}

/** A box for each task: what to read, what to write. */
function ScopeGrid() {
  return (
    <table class="scope-grid">
      <caption class="hidden">{texts.scopes}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{texts.read}</th>
          <th scope="col">{texts.write}</th>
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map((resource) => (
          <tr key={resource}>
            <th scope="row">{texts.resources[resource]}</th>
            {ACTIONS.map((action) => (
              <td key={action}>
                <input
                  type="checkbox"
                  name="scope"
                  value={`${resource}:${action}`}
                  aria-label={`${texts.resources[resource]}: ${texts[action]}`}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
