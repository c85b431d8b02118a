import { kitTexts } from './kitTexts.ts';
import { t } from './texts.ts';
import { toast } from './toast.tsx';

/** Copies a text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const texts = t(kitTexts);
  const copy = () =>
    navigator.clipboard
      .writeText(text)
      .then(() => toast(texts.copied))
      .catch(() => toast(texts.copyFailed));
  return (
    <button type="button" onClick={copy}>
      {label ?? texts.copy}
    </button>
  );
}
