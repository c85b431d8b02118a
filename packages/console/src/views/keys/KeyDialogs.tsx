import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Button, CopyButton } from '../../kit/Button.tsx';
import { ConfirmDialog } from '../../kit/Confirm.tsx';
import { Check, Field, FormDialog, Select } from '../../kit/form.tsx';
import { formatNumber } from '../../kit/format.ts';
import { Moment } from '../../kit/parts.tsx';
import { mode, session } from '../../kit/session.ts';
import type { KeyRow } from './keyState.ts';
import { texts } from './texts.ts';

const RESOURCES = ['events', 'scores', 'usage', 'webhooks', 'admin'] as const;
const ACTIONS = ['read', 'write'] as const;
const LIVES = ['30', '90', '365', ''] as const;

/** Creates a key with chosen scopes. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const isFull = useSignal(false);
  return (
    <FormDialog
      title={texts.create}
      submit={texts.create}
      call={(given) => {
        const scopes = isFull.value ? [] : given.getAll('scope').map(String);
        if (!isFull.value && scopes.length === 0) return texts.chooseOne;
        const networks = given.text('networks')?.split(/[\s,]+/);
        const body = {
          label: given.text('label') ?? null,
          scopes,
          ...(given.has('isTest') && { isTest: true }),
          ...(given.text('life') && { expiresInDays: given.number('life') }),
          ...(networks && { allowedCidrs: networks.filter((network) => network !== '') }),
        };
        return requestOf('POST /platform/keys', { body });
      }}
      onceTitle={texts.made}
      once={({ key, warnings }) => <NewSecret secret={key} warnings={warnings} onDone={onClose} />}
      onClose={onClose}
    >
      <Field name="label" label={texts.name} hint={texts.nameHint} maxLength={255} />
      <Check
        label={texts.fullAccess}
        checked={isFull.value}
        onChange={(event) => (isFull.value = event.currentTarget.checked)}
      />
      {!isFull.value && <ScopeGrid />}
      {mode.value === 'live' && <Check name="isTest" label={texts.testKey} />}
      <Select name="life" label={texts.life} of={LIVES} textOf={(days) => texts.lives[days]} chosen="365" />
      <Field name="networks" label={texts.networks} hint={texts.networksHint} />
    </FormDialog>
  );
}

/** A box for each task: what to read, what to write. */
function ScopeGrid() {
  return (
    <table class="scope-grid">
      <caption class="hidden">{texts.scopes}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{texts.read}</th>
          <th scope="col">{texts.write}</th>
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map((resource) => (
          <tr key={resource}>
            <th scope="row">{texts.resources[resource]}</th>
            {ACTIONS.map((action) => (
              <td key={action}>
                <input
                  type="checkbox"
                  name="scope"
                  value={`${resource}:${action}`}
                  aria-label={`${texts.resources[resource]}: ${texts[action]}`}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
    <ConfirmDialog
      title={texts.revokeSure(key.label ?? texts.thisKey)}
      submit={texts.revoke}
      lost={[
        texts.revokeNote,
        key.lastUsedAt ? (
          <>
            {texts.lastUse}: <Moment at={key.lastUsedAt} distance />.
          </>
        ) : (
          texts.neverUsed
        ),
        ...(key.id === session.value?.keyId ? [texts.ownNote] : []),
      ]}
      call={(given) => {
        const query = { cascade: given.has('cascade') || undefined };
        return requestOf('DELETE /platform/keys/{keyId}', { params, query });
      }}
      doneText={({ descendantsRevoked }) => texts.revokedNow(formatNumber(descendantsRevoked))}
      onClose={onClose}
    >
      <Check name="cascade" label={texts.cascade} />
    </ConfirmDialog>
  );
}

function OwnNote({ of: key }: { of: KeyRow }) {
  return key.id === session.value?.keyId ? <p class="note">{texts.ownNote}</p> : null;
}

interface NewSecretProps {
  secret: string;
  warnings: readonly { code: string; message: string }[];
  onDone: () => void;
}

/** A key, the only time that it is shown. */
function NewSecret({ secret, warnings, onDone }: NewSecretProps) {
  return (
    <>
      <p>{texts.once}</p>
      <pre class="code secret">{secret}</pre>
      {warnings.map(({ code, message }) => (
        <p key={code} class="note">
          {message}
        </p>
      ))}
      <div class="actions">
        <CopyButton text={secret} />
        <Button text={texts.done} class="primary" onClick={onDone} />
      </div>
    </>
  );
}
