import type { JSX } from 'preact';

type ButtonProps = JSX.IntrinsicElements['button'] & { text: string };

/** A button that does not send a form. */
export function Button({ text, ...rest }: ButtonProps) {
  return (
    <button {...rest} type="button">
      {text}
    </button>
  );
}
