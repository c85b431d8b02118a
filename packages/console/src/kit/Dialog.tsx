import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { kitTexts } from './kitTexts.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string;
  /** Only its buttons close it: what it shows cannot be shown again. */
  isShownOnce?: boolean;
}

const FIRST_FIELD = 'header + form :is(input:not([type="checkbox"]), select, textarea)';

/** A modal dialog while it is rendered. Escape and a click beside it close it; the focus goes back. */
export function Dialog({ title, onClose, children, class: extra = '', isShownOnce = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  // In the task that renders it: a next key must not reach the page below.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Of a form, its first field: the browser takes the button that closes, and Enter would discard what
    // was typed. Not a checkbox: there Enter sends a form that nobody has read.
    dialog?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      dialog?.close();
      // The dialog has left the page already, so the browser does not do it.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${extra}`}
      aria-labelledby={headingId}
      // Not the close event: it comes later, when a next key may have opened another dialog already.
      // A file field in the dialog sends the same event when its picker is cancelled.
      onCancel={(event) => {
        if (event.target !== element.current) return;
        if (isShownOnce) event.preventDefault();
        else onClose();
      }}
      // A browser closes a dialog with the second Escape, whatever `cancel` says.
      onClose={({ currentTarget }) => isShownOnce && currentTarget.isConnected && currentTarget.showModal()}
      onClick={(event) => event.target === element.current && !isShownOnce && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={headingId}>{title}</h2>
          <button type="button" class="quiet" onClick={onClose} aria-label={kitTexts.close}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
