import { signal } from '@preact/signals';

const shown = signal<{ text: string; id: number } | null>(null);
let count = 0;

/** Says for some seconds what has happened. */
export function toast(text: string): void {
  count += 1;
  const id = count;
  shown.value = { text, id };
  setTimeout(() => {
    if (shown.peek()?.id === id) shown.value = null;
  }, 6000);
}

/** Where toasts appear; once in the page. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value && (
        <p key={shown.value.id} dir="auto">
          {shown.value.text}
        </p>
      )}
    </div>
  );
}
