import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { onKey } from './keys.ts';
import { kitTexts } from './kitTexts.ts';
import { toast } from './toast.tsx';

type ButtonProps = JSX.IntrinsicElements['button'] & { text: string };

/** A button that does not send a form. */
export function Button({ text, ...rest }: ButtonProps) {
  return (
    <button {...rest} type="button">
      {text}
    </button>
  );
}

/** Copies a text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const copy = () =>
    navigator.clipboard
      .writeText(text)
      .then(() => toast(kitTexts.copied))
      .catch(() => toast(kitTexts.copyFailed));
  return <Button text={label ?? kitTexts.copy} onClick={copy} />;
}

/** The keys of the buttons in the page, with what each does. */
export const actKeys = signal<readonly (readonly [key: string, text: string])[]>([]);

interface ActButtonProps {
  /** A letter, also listed in the help for keys. */
  press: string;
  text: string;
  onAct: () => void;
  class?: 'primary' | 'quiet';
}

/** A button for what hands do often, with a key of its own. */
export function ActButton({ press, text, onAct, class: look }: ActButtonProps) {
  const latest = useRef(onAct);
  latest.current = onAct;
  // With the button: a key that is pressed when the button is visible must act.
  useLayoutEffect(() => {
    const entry = [press, text] as const;
    const remove = onKey(press, () => latest.current());
    actKeys.value = [...actKeys.peek(), entry];
    return () => {
      remove();
      actKeys.value = actKeys.peek().filter((other) => other !== entry);
    };
  }, [press, text]);
  return (
    <button type="button" class={look} aria-keyshortcuts={press} onClick={onAct}>
      {text}{' '}
      <span class="act-key" aria-hidden="true">
        {press}
      </span>
    </button>
  );
}
