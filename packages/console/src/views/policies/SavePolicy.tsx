import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Failure } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAct.ts';
import { texts as catalogue } from './texts.ts';
import type { Tried } from './tried.ts';

interface SavePolicyProps {
  tried: Tried;
  onSaved: () => void;
  onClose: () => void;
}

/** Saves the threshold that was tried. */
export function SavePolicy({ tried: { threshold, direction }, onSaved, onClose }: SavePolicyProps) {
  const texts = t(catalogue);
  const act = useAct();
  const save = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const userId = String(given.get('userId'));
    const condition = { metric: 'score', direction, threshold };
    const body = { name: given.get('name'), condition, ...(userId !== '' && { userId }) };
    if (!(await act.run(requestOf('POST /policies', { body })))) return;
    toast(texts.saved);
    onSaved();
    onClose();
  };
  return (
    <Dialog title={texts.save} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <p>
          {texts.of('score')} {texts[direction]} <strong>{formatNumber(threshold)}</strong>
        </p>
        <label>
          {texts.name}
          <input name="name" required maxLength={255} dir="auto" />
        </label>
        <label>
          {texts.forOne}
          <input name="userId" maxLength={255} dir="auto" placeholder={texts.forAll} />
        </label>
        {act.failure && <Failure of={act.failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {texts.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
