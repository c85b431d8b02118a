import { Button } from './Button.tsx';
import { kitTexts as texts } from './kitTexts.ts';
import { toast } from './toast.tsx';

/** Copies a text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const copy = () =>
    navigator.clipboard
      .writeText(text)
      .then(() => toast(texts.copied))
      .catch(() => toast(texts.copyFailed));
  return <Button text={label ?? texts.copy} onClick={copy} />;
}
