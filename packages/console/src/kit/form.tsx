import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { ApiFailure } from './apiFailure.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { kitTexts } from './kitTexts.ts';
import { Failure } from './Query.tsx';
import type { Call } from './session.ts';
import { toast } from './toast.tsx';
import { useAct } from './useAction.ts';

/** What the fields of a form hold. */
export class Given extends FormData {
  /** Without spaces around; undefined: empty. */
  text(name: string): string | undefined {
    return String(this.get(name) ?? '').trim() || undefined;
  }
  /** Null: empty. */
  number(name: string): number | null {
    const text = this.text(name);
    return text === undefined ? null : Number(text);
  }
  /** The start of a day. Days of the service begin at midnight UTC. */
  day(name: string): string | undefined {
    const day = this.text(name);
    return day && `${day}T00:00:00.000Z`;
  }
}

interface FormProps {
  /** The text of its button; null: there is nothing to send. */
  submit: string | null;
  onSubmit: (given: Given) => void;
  onCancel: () => void;
  isBusy: boolean;
  failure: ApiFailure | null;
  isReady?: boolean;
  isDanger?: boolean;
  children: ComponentChildren;
}

/** Fields with what went wrong and the buttons below. */
export function Form({ submit, onSubmit, onCancel, isBusy, failure, isReady = true, ...rest }: FormProps) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new Given(event.currentTarget));
      }}
    >
      {rest.children}
      {failure && <Failure of={failure} />}
      {submit !== null && (
        <div class="actions">
          <button type="submit" class={rest.isDanger ? 'danger' : 'primary'} disabled={isBusy || !isReady}>
            {submit}
          </button>
          <Button text={kitTexts.cancel} onClick={onCancel} />
        </div>
      )}
    </form>
  );
}

interface FormDialogProps<Result> {
  title: string;
  submit: string | null;
  isDanger?: boolean;
  /** False: what the fields need has not loaded. */
  isReady?: boolean;
  /** The request that the fields make, or what is wrong with them: empty, if it is said elsewhere. */
  call: (given: Given) => Call<Result> | string;
  /** What an answer refuses although it is no error; null: nothing. */
  refusal?: (answer: Result) => string | null;
  onDone?: (answer: Result) => void;
  /** Said for some seconds when it is done. */
  doneText?: (answer: Result) => string;
  /** What the answer shows only now. Without it the dialog closes. */
  once?: (answer: Result) => ComponentChildren;
  onceTitle?: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A form in a dialog: it sends one request. A second press after an error repeats the same request. */
export function FormDialog<Result>({
  call,
  refusal,
  onDone,
  doneText,
  once,
  ...props
}: FormDialogProps<Result>) {
  const { title, onceTitle = title, onClose, children, ...form } = props;
  const act = useAct();
  const wrong = useSignal<string | null>(null);
  const shown = useSignal<ComponentChildren>(null);
  const send = (given: Given) => {
    const made = call(given);
    wrong.value = typeof made === 'string' ? made : null;
    if (typeof made === 'string') return;
    void act.run(made, (answer) => {
      wrong.value = refusal?.(answer) ?? null;
      if (wrong.value !== null) return;
      if (doneText) toast(doneText(answer));
      onDone?.(answer);
      if (once) shown.value = once(answer);
      else onClose();
    });
  };
  return (
    <Dialog title={shown.value ? onceTitle : title} onClose={onClose} isShownOnce={shown.value !== null}>
      {shown.value ?? (
        <Form {...form} onSubmit={send} onCancel={onClose} isBusy={act.isBusy} failure={act.failure}>
          {children}
          {wrong.value && (
            <p class="bad" role="alert">
              {wrong.value}
            </p>
          )}
        </Form>
      )}
    </Dialog>
  );
}

type FieldProps = JSX.IntrinsicElements['input'] & { label: string; hint?: string };

/** A labelled field of a form, with a hint below. */
export function Field({ label, hint, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input dir="auto" autocomplete="off" {...input} />
      {hint && <small class="soft">{hint}</small>}
    </label>
  );
}

/** A box to tick. */
export function Check({
  label,
  ...input
}: Pick<FieldProps, 'label' | 'name' | 'checked' | 'defaultChecked' | 'onChange'>) {
  return (
    <label class="check">
      <input {...input} type="checkbox" />
      {label}
    </label>
  );
}

interface OptionsProps<Value extends string> {
  of: readonly Value[];
  textOf?: (value: Value) => string;
  chosen: string | null | undefined;
  /** The text for no value. */
  none?: string;
}

/** The choices of a `select`. */
export function Options<Value extends string>({ of, textOf = String, chosen, none }: OptionsProps<Value>) {
  return (
    <>
      {none !== undefined && <option value="">{none}</option>}
      {of.map((value) => (
        <option key={value} value={value} selected={value === chosen}>
          {textOf(value)}
        </option>
      ))}
    </>
  );
}

interface SelectProps<Value extends string> extends OptionsProps<Value> {
  label: string;
  /** For forms that are sent. */
  name?: string;
  hint?: string;
  onChoose?: (value: Value) => void;
}

/** A labelled choice of one value. */
export function Select<Value extends string>({ label, name, hint, onChoose, ...of }: SelectProps<Value>) {
  return (
    <label>
      {label}{' '}
      <select name={name} onChange={(event) => onChoose?.(event.currentTarget.value as Value)}>
        <Options {...of} />
      </select>
      {hint && <small class="soft">{hint}</small>}
    </label>
  );
}
