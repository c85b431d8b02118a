import { useSignal } from '@preact/signals';
import { fetchCall } from './api.ts';
import { failureFrom } from './apiFailure.ts';
import { Button } from './Button.tsx';
import type { Call } from './session.ts';
import { toast } from './toast.tsx';

/** Saves an answer as a file. */
export function Download({ call, name, text }: { call: Call<unknown>; name: string; text: string }) {
  const isBusy = useSignal(false);
  async function save(): Promise<void> {
    isBusy.value = true;
    try {
      saveFile(await (await fetchCall(call)).blob(), name);
    } catch (error) {
      toast(failureFrom(error).message);
    } finally {
      isBusy.value = false;
    }
  }
  return <Button text={text} onClick={save} disabled={isBusy.value} />;
}

/** Lets the browser save a file under a name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
