import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Failure } from '../../kit/Query.tsx';
import { session } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import type { KeyRow } from './keyState.ts';
import { texts as catalogue } from './texts.ts';

/** Switches a key off, and if wanted those that it created. */
export function RevokeKey({ of: key, onClose }: { of: KeyRow; onClose: () => void }) {
  const texts = t(catalogue);
  const act = useAct();

  async function revoke(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const query = { cascade: form.has('cascade') || undefined };
    const answer = await act.run(
      requestOf('DELETE /platform/keys/{keyId}', { params: { keyId: key.id }, query }),
    );
    if (!answer) return;
    toast(texts.revokedNow(formatNumber(answer.descendantsRevoked)));
    onClose();
  }

  return (
    <Dialog title={texts.revokeOf(key.label ?? texts.unnamed)} onClose={onClose}>
      <form class="form" onSubmit={revoke}>
        <p>{texts.revokeNote}</p>
        {key.id === session.value?.keyId && <p class="note">{texts.ownNote}</p>}
        <label class="check">
          <input type="checkbox" name="cascade" />
          {texts.cascade}
        </label>
        {act.failure && <Failure of={act.failure} />}
        <div class="actions">
          <button type="submit" class="danger" disabled={act.isBusy}>
            {texts.revoke}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
