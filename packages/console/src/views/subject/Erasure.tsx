import { requestOf } from '../../kit/api.ts';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { Panel } from '../../kit/parts.tsx';
import { isReadOnly, may } from '../../kit/session.ts';
import { texts } from './texts.ts';

/** The end of everything that is known about a subject, for keys that may. */
export function Erasure({ id, onErased }: { id: string; onErased: () => void }) {
  if (isReadOnly.value || !may('admin', 'write')) return null;
  return (
    <Panel title={texts.erasure} lead={texts.erasureLead}>
      <ConfirmButton
        text={texts.erasure}
        title={texts.erasureSure(id)}
        submit={texts.erasure}
        lost={[texts.erasureTexts, texts.erasureEnds, texts.erasureKept]}
        typed={id}
        call={() => requestOf('POST /users/{id}/erasure', { params: { id } })}
        doneText={() => texts.erasedNow}
        onDone={onErased}
      />
    </Panel>
  );
}
