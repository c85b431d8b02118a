import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from '../../kit/Dialog.tsx';
import { Failure } from '../../kit/Query.tsx';
import { type Call, may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useAct } from '../../kit/useAct.ts';
import { texts as catalogue } from './texts.ts';

interface RowActionsProps {
  name: string;
  isActive: boolean;
  toggle: Call<unknown>;
  remove: Call<unknown>;
  onChanged: () => void;
  children?: ComponentChildren;
}

/** Pauses, activates or deletes a policy or a monitor. */
export function RowActions({ name, isActive, toggle, remove, onChanged, children }: RowActionsProps) {
  const texts = t(catalogue);
  const isAsking = useSignal(false);
  const act = useAct();
  const send = async (call: Call<unknown>) => {
    if ((await act.run(call)) === null) return;
    isAsking.value = false;
    onChanged();
  };
  return (
    <div>
      <div class="actions">
        {children}
        {may('webhooks', 'write') && (
          <>
            <button type="button" disabled={act.isBusy} onClick={() => send(toggle)}>
              {isActive ? texts.pause : texts.activate}
            </button>
            <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
              {texts.delete}
            </button>
          </>
        )}
      </div>
      {act.failure && <Failure of={act.failure} />}
      {isAsking.value && (
        <Dialog title={texts.deleteSure(name)} onClose={() => (isAsking.value = false)}>
          <p>{texts.deleteNote}</p>
          <div class="actions">
            <button type="button" class="danger" disabled={act.isBusy} onClick={() => send(remove)}>
              {texts.delete}
            </button>
            <button type="button" onClick={() => (isAsking.value = false)}>
              {texts.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
