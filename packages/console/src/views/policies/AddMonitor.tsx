import { requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/useAct.ts';
import { texts as catalogue } from './texts.ts';

interface AddMonitorProps {
  userId: string | null;
  onAdded: () => void;
  onClose: () => void;
}

/** Watches one subject. */
export function AddMonitor({ userId, onAdded, onClose }: AddMonitorProps) {
  const texts = t(catalogue);
  const act = useAct();
  const add = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const points = (name: string) => (given.get(name) === '' ? null : Number(given.get(name)));
    const body = {
      userId: given.get('userId'),
      belowScore: points('belowScore'),
      aboveScore: points('aboveScore'),
      onBandChange: given.has('onBandChange'),
    };
    if (!(await act.run(requestOf('POST /monitors', { body })))) return;
    onAdded();
    onClose();
  };
  return (
    <Dialog title={texts.addMonitor} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget);
        }}
      >
        <label>
          {texts.subject}
          <input name="userId" required maxLength={255} dir="auto" defaultValue={userId ?? ''} />
        </label>
        <label>
          {texts.belowScore}
          <input name="belowScore" type="number" min={0} max={100} step={0.01} />
        </label>
        <label>
          {texts.aboveScore}
          <input name="aboveScore" type="number" min={0} max={100} step={0.01} />
        </label>
        <label class="check-line">
          <span>
            <input name="onBandChange" type="checkbox" /> {texts.onBandChange}
          </span>
        </label>
        {act.failure && <Failure of={act.failure} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {texts.addMonitor}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
