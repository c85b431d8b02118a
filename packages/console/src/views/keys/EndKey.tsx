import { requestOf } from '../../kit/api.ts';
import { Check, FormDialog, Select } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { session } from '../../kit/session.ts';
import type { KeyRow } from './keyState.ts';
import { NewSecret } from './NewSecret.tsx';
import { texts } from './texts.ts';

interface EndKeyProps {
  of: KeyRow;
  onClose: () => void;
}

const GRACE_HOURS = ['0', '1', '24', '168'] as const;

/** Replaces a key by a new one that may do the same. */
export function RotateKey({ of: key, onClose }: EndKeyProps) {
  const params = { keyId: key.id };
  return (
    <FormDialog
      title={texts.rotateOf(key.label ?? texts.unnamed)}
      submit={texts.rotate}
      call={(given) => {
        const body = { graceHours: given.number('grace') };
        return requestOf('POST /platform/keys/{keyId}/rotate', { params, body });
      }}
      onceTitle={texts.made}
      once={(made) => <NewSecret secret={made.key} warnings={made.warnings} onDone={onClose} />}
      onClose={onClose}
    >
      <p>{texts.rotateNote}</p>
      <OwnNote of={key} />
      <Select
        name="grace"
        label={texts.grace}
        of={GRACE_HOURS}
        textOf={(hours) => texts.graces[hours]}
        chosen="24"
      />
    </FormDialog>
  );
}

/** Switches a key off, and if wanted those that it created. */
export function RevokeKey({ of: key, onClose }: EndKeyProps) {
  const params = { keyId: key.id };
  return (
    <FormDialog
      title={texts.revokeOf(key.label ?? texts.unnamed)}
      submit={texts.revoke}
      isDanger
      call={(given) => {
        const query = { cascade: given.has('cascade') || undefined };
        return requestOf('DELETE /platform/keys/{keyId}', { params, query });
      }}
      doneText={({ descendantsRevoked }) => texts.revokedNow(formatNumber(descendantsRevoked))}
      onClose={onClose}
    >
      <p>{texts.revokeNote}</p>
      <OwnNote of={key} />
      <Check name="cascade" label={texts.cascade} />
    </FormDialog>
  );
}

function OwnNote({ of: key }: { of: KeyRow }) {
  return key.id === session.value?.keyId ? <p class="note">{texts.ownNote}</p> : null;
}
