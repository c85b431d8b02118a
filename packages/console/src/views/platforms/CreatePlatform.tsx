import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { Select } from '../../kit/Select.tsx';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/useAct.ts';
import { plans, trustTiers } from './platformRow.ts';
import { texts as catalogue } from './texts.ts';

/** Creates a platform and shows its two keys once. */
export function CreatePlatform({ onClose }: { onClose: () => void }) {
  const texts = t(catalogue);
  const made = useSignal<AnswerOf<'POST /admin/platforms'> | null>(null);
  const act = useAct();

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    made.value = await act.run(requestOf('POST /admin/platforms', { body }));
  }

  if (made.value) {
    const { live, test } = made.value.keys;
    return (
      <Dialog title={texts.made} onClose={onClose} isShownOnce>
        <p>{texts.once}</p>
        {(
          [
            [texts.liveKey, live.key],
            [texts.testKey, test.key],
          ] as const
        ).map(([name, key]) => (
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
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.create} onClose={onClose}>
      <form class="form" onSubmit={create}>
        <label>
          {texts.name}
          <input name="name" required maxLength={255} autocomplete="off" />
        </label>
        <Select name="plan" label={texts.plan} options={plans} chosen="starter" />
        <Select name="trustTier" label={texts.tier} options={trustTiers} chosen="STARTER" />
        {act.failure && <Failure of={act.failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {texts.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
