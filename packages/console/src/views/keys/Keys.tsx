import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestOf } from '../../kit/api.ts';
import { ActButton, Button } from '../../kit/Button.tsx';
import { Details, Moment, Page, Rows } from '../../kit/parts.tsx';
import { useGet } from '../../kit/Query.tsx';
import { isReadOnly, may, session } from '../../kit/session.ts';
import { CreateKey, RevokeKey, RotateKey } from './KeyDialogs.tsx';
import './keys.css';
import { countdown, type KeyRow, stateOf } from './keyState.ts';
import { scopeText } from './scopeText.ts';
import { texts } from './texts.ts';

type Act = { name: 'create' } | { name: 'rotate' | 'revoke'; key: KeyRow };

/** The keys of the platform: what each may do, when it was used, when it ends. */
export default function Keys() {
  const mayRead = may('admin', 'read');
  const mayWrite = may('admin', 'write') && !isReadOnly.value;
  const keys = useGet('GET /platform/keys', {}, { isEnabled: mayRead });
  const act = useSignal<Act | null>(null);
  const now = useNow();
  const close = () => {
    act.value = null;
    keys.reload();
  };
  const acts = mayWrite && (
    <ActButton press="n" text={texts.create} class="primary" onAct={() => (act.value = { name: 'create' })} />
  );
  return (
    <Page title={texts.title} calls={[requestOf('GET /platform/keys')]} actions={acts}>
      {mayRead ? (
        <Rows
          of={keys}
          rows={({ keys: list }) => list}
          class="keys"
          height={240}
          empty={<p>{texts.empty}</p>}
        >
          {(key) => (
            <KeyCard of={key} now={now} onAct={mayWrite ? (name) => (act.value = { name, key }) : null} />
          )}
        </Rows>
      ) : (
        <p class="note">{texts.notAllowed}</p>
      )}
      {act.value?.name === 'create' && <CreateKey onClose={close} />}
      {act.value?.name === 'rotate' && <RotateKey of={act.value.key} onClose={close} />}
      {act.value?.name === 'revoke' && <RevokeKey of={act.value.key} onClose={close} />}
    </Page>
  );
}

interface KeyCardProps {
  of: KeyRow;
  now: number;
  /** Null: nothing can be changed. */
  onAct: ((name: 'rotate' | 'revoke') => void) | null;
}

function KeyCard({ of: key, now, onAct }: KeyCardProps) {
  const state = stateOf(key, now);
  const works = state === 'active' || state === 'replaced';
  const label = key.label ?? texts.unnamed;
  return (
    <div class="panel" data-state={state}>
      <header class="key-head">
        <h2 dir="auto">{label}</h2>
        <span class={`key-mode ${key.isTest ? 'test' : 'live'}`}>{key.isTest ? texts.test : texts.live}</span>
        {key.id === session.value?.keyId && <span class="soft">{texts.own}</span>}
        {onAct && works && (
          <div class="actions">
            {state === 'active' && (
              <Button
                text={texts.rotate}
                onClick={() => onAct('rotate')}
                aria-label={texts.rotateOf(label)}
              />
            )}
            <Button
              text={texts.revoke}
              class="danger"
              onClick={() => onAct('revoke')}
              aria-label={texts.revokeOf(label)}
            />
          </div>
        )}
      </header>
      <Details
        of={[
          [
            texts.state,
            <span class={works ? (state === 'active' ? 'good' : 'warn') : 'soft'}>
              {state === 'replaced' && key.expiresAt
                ? texts.replaced(countdown(key.expiresAt, now))
                : texts[state === 'replaced' ? 'active' : state]}
            </span>,
          ],
          [
            texts.access,
            key.scopes.length === 0
              ? texts.everything
              : key.scopes.map((scope) => (
                  <div key={scope}>
                    {scopeText(scope)} <code class="soft">{scope}</code>
                  </div>
                )),
          ],
          key.allowedCidrs.length > 0 && [texts.networks, <code>{key.allowedCidrs.join(', ')}</code>],
          [texts.lastUse, key.lastUsedAt ? <Moment at={key.lastUsedAt} distance /> : texts.never],
          [texts.expires, key.expiresAt ? <Moment at={key.expiresAt} /> : texts.noEnd],
        ]}
      />
    </div>
  );
}

/** The present, each second, for the countdowns. */
function useNow(): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now.value;
}
