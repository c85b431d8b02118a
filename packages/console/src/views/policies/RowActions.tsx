import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { FormDialog } from '../../kit/form.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Failure } from '../../kit/Query.tsx';
import { type Call, may } from '../../kit/session.ts';
import { useAct } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

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
  const isAsking = useSignal(false);
  const act = useAct();
  return (
    <div>
      <div class="actions">
        {children}
        {may('webhooks', 'write') && (
          <>
            <button type="button" disabled={act.isBusy} onClick={() => act.run(toggle, onChanged)}>
              {isActive ? kitTexts.pause : kitTexts.activate}
            </button>
            <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
              {kitTexts.delete}
            </button>
          </>
        )}
      </div>
      {act.failure && <Failure of={act.failure} />}
      {isAsking.value && (
        <FormDialog
          title={texts.deleteSure(name)}
          submit={kitTexts.delete}
          isDanger
          call={() => remove}
          onDone={onChanged}
          onClose={() => (isAsking.value = false)}
        >
          <p>{texts.deleteNote}</p>
        </FormDialog>
      )}
    </div>
  );
}
