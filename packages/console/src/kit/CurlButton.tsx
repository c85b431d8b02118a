import { useSignal } from '@preact/signals';
import { ActButton, CopyButton } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { kitTexts as texts } from './kitTexts.ts';
import { type Call, session, viewing } from './session.ts';

/** Shows the requests of a view as commands that give the same answers. */
export function CurlButton({ calls }: { calls: readonly Call<unknown>[] }) {
  const isOpen = useSignal(false);
  const text = calls.map(curlOf).join('\n\n');
  return (
    <>
      <ActButton press="c" text={texts.curl} class="quiet" onAct={() => (isOpen.value = true)} />
      {isOpen.value && (
        <Dialog title={texts.curlTitle} onClose={() => (isOpen.value = false)}>
          <p class="soft">{texts.curlNote}</p>
          <pre class="code" tabIndex={0}>
            {text}
          </pre>
          <div class="actions">
            <CopyButton text={text} />
          </div>
        </Dialog>
      )}
    </>
  );
}

/** For a POSIX shell. */
export function curlOf({ method, path, body }: Call<unknown>): string {
  const credential =
    session.peek()?.kind === 'operator' && viewing.peek() === null
      ? '-H "X-Admin-Secret: $ADMIN_SECRET"'
      : '-H "Authorization: Bearer $RELIABILITY_KEY"';
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return [
    // -N: a frame of a stream is printed when it arrives.
    `curl -sS${path.startsWith('/events/stream') ? 'N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${location.origin}/api/v1${path}`)}`,
    credential,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(sent ?? '')}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
