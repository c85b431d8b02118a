import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './Button.tsx';
import { Field, FormDialog, type Given } from './form.tsx';
import { kitTexts } from './kitTexts.ts';
import type { Call } from './session.ts';

interface ConfirmProps<Result> {
  /** The act and what it is done to, as a question. */
  title: string;
  /** The act, on the button that does it. */
  submit: string;
  /** What is lost by it, and what is not: a sentence each. */
  lost: readonly ComponentChildren[];
  /** To be typed before an act that nothing takes back. */
  typed?: string;
  call: (given: Given) => Call<Result>;
  onDone?: (answer: Result) => void;
  doneText?: (answer: Result) => string;
  onClose: () => void;
  /** Further choices. */
  children?: ComponentChildren;
}

/** Asks before an act that destroys something, and names what is lost. Nothing happens by Enter alone. */
export function ConfirmDialog<Result>({ lost, typed, call, children, ...dialog }: ConfirmProps<Result>) {
  return (
    <FormDialog
      {...dialog}
      isDanger
      call={(given) =>
        typed === undefined || given.text('typed') === typed.trim() ? call(given) : kitTexts.typedOther
      }
    >
      <ul class="lost">
        {lost.map((sentence, index) => (
          <li key={index}>{sentence}</li>
        ))}
      </ul>
      {children}
      {typed !== undefined && (
        <Field name="typed" label={kitTexts.typeIt(typed)} required spellcheck={false} />
      )}
    </FormDialog>
  );
}

type ConfirmButtonProps<Result> = Omit<ConfirmProps<Result>, 'onClose'> & { text: string; label?: string };

/** A button for such an act. */
export function ConfirmButton<Result>({ text, label, ...asked }: ConfirmButtonProps<Result>) {
  const isAsking = useSignal(false);
  return (
    <>
      <Button text={text} class="danger" aria-label={label} onClick={() => (isAsking.value = true)} />
      {isAsking.value && <ConfirmDialog {...asked} onClose={() => (isAsking.value = false)} />}
    </>
  );
}
