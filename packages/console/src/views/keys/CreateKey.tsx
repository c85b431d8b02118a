import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { mode } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/useAct.ts';
import { NewSecret } from './NewSecret.tsx';
import { texts as catalogue } from './texts.ts';

const RESOURCES = ['events', 'scores', 'usage', 'webhooks', 'admin'] as const;
const ACTIONS = ['read', 'write'] as const;
const LIVES = ['30', '90', '365', ''] as const;

/** Creates a key with chosen scopes. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const texts = t(catalogue);
  const made = useSignal<AnswerOf<'POST /platform/keys'> | null>(null);
  const isFull = useSignal(false);
  const isEmpty = useSignal(false);
  const act = useAct();

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const scopes = form.getAll('scope').map(String);
    isEmpty.value = !isFull.value && scopes.length === 0;
    if (isEmpty.value) return;
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const networks = text('networks')
      .split(/[\s,]+/)
      .filter((network) => network !== '');
    const body = {
      label: text('label') || null,
      scopes: isFull.value ? [] : scopes,
      ...(form.has('isTest') && { isTest: true }),
      ...(text('life') && { expiresInDays: Number(text('life')) }),
      ...(networks.length > 0 && { allowedCidrs: networks }),
    };
    made.value = await act.run(requestOf('POST /platform/keys', { body }));
  }

  return (
    <Dialog title={made.value ? texts.made : texts.create} onClose={onClose} isShownOnce={!!made.value}>
      {made.value ? (
        <NewSecret secret={made.value.key} warnings={made.value.warnings} onDone={onClose} />
      ) : (
        <form class="form" onSubmit={create}>
          <label>
            {texts.name}
            <input name="label" maxLength={255} autocomplete="off" aria-describedby="label-hint" />
            <small id="label-hint" class="soft">
              {texts.nameHint}
            </small>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={isFull.value}
              onChange={(event) => (isFull.value = event.currentTarget.checked)}
            />
            {texts.fullAccess}
          </label>
          {!isFull.value && <ScopeGrid />}
          {isEmpty.value && (
            <p class="bad" role="alert">
              {texts.chooseOne}
            </p>
          )}
          {mode.value === 'live' && (
            <label class="check">
              <input type="checkbox" name="isTest" />
              {texts.testKey}
            </label>
          )}
          <label>
            {texts.life}
            <select name="life">
              {LIVES.map((days) => (
                <option key={days} value={days} selected={days === '365'}>
                  {texts.lives[days]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {texts.networks}
            <input name="networks" autocomplete="off" aria-describedby="networks-hint" />
            <small id="networks-hint" class="soft">
              {texts.networksHint}
            </small>
          </label>
          {act.failure && <Failure of={act.failure} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={act.isBusy}>
              {texts.create}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** A box for each task: what to read, what to write. */
function ScopeGrid() {
  const texts = t(catalogue);
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
