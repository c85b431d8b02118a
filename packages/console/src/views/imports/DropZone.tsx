import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { texts } from './texts.ts';

/** The body limit of POST /imports. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Takes a file by dropping or by choosing. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const isTooLarge = useSignal(false);
  const take = (file: File | undefined) => {
    if (!file) return;
    isTooLarge.value = file.size > MAX_BYTES;
    if (!isTooLarge.value) onFile(file);
  };
  return (
    <section
      class={`drop-zone ${isOver.value ? 'is-over' : ''}`}
      aria-label={texts.drop}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files[0]);
      }}
    >
      <p>
        <strong>{texts.drop}</strong>
      </p>
      <button type="button" class="primary" onClick={() => input.current?.click()}>
        {texts.choose}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.tsv,text/csv"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <p class="soft">{texts.limit}</p>
      {isTooLarge.value && (
        <p class="bad" role="alert">
          {texts.tooLarge}
        </p>
      )}
    </section>
  );
}
