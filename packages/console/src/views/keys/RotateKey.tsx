import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { session } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/useAct.ts';
import type { KeyRow } from './keyState.ts';
import { NewSecret } from './NewSecret.tsx';
import { texts as catalogue } from './texts.ts';

const GRACE_HOURS = ['0', '1', '24', '168'] as const;

/** Replaces a key by a new one that may do the same. */
export function RotateKey({ of: key, onClose }: { of: KeyRow; onClose: () => void }) {
  const texts = t(catalogue);
  const made = useSignal<AnswerOf<'POST /platform/keys/{keyId}/rotate'> | null>(null);
  const act = useAct();

  async function rotate(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { graceHours: Number(form.get('grace')) };
    made.value = await act.run(
      requestOf('POST /platform/keys/{keyId}/rotate', { params: { keyId: key.id }, body }),
    );
  }

  return (
    <Dialog
      title={made.value ? texts.made : texts.rotateOf(key.label ?? texts.unnamed)}
      onClose={onClose}
      isShownOnce={!!made.value}
    >
      {made.value ? (
        <NewSecret secret={made.value.key} warnings={made.value.warnings} onDone={onClose} />
      ) : (
        <form class="form" onSubmit={rotate}>
          <p>{texts.rotateNote}</p>
          {key.id === session.value?.keyId && <p class="note">{texts.ownNote}</p>}
          <label>
            {texts.grace}
            <select name="grace">
              {GRACE_HOURS.map((hours) => (
                <option key={hours} value={hours} selected={hours === '24'}>
                  {texts.graces[hours]}
                </option>
              ))}
            </select>
          </label>
          {act.failure && <Failure of={act.failure} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={act.isBusy}>
              {texts.rotate}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
