import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActButton } from '../../kit/ActButton.tsx';
import { get, requestOf } from '../../kit/api.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Page } from '../../kit/Page.tsx';
import { Query } from '../../kit/Query.tsx';
import { isReadOnly, may, session } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { CreateKey } from './CreateKey.tsx';
import './keys.css';
import { countdown, type KeyRow, stateOf } from './keyState.ts';
import { RevokeKey } from './RevokeKey.tsx';
import { RotateKey } from './RotateKey.tsx';
import { texts as catalogue } from './texts.ts';

type Act = { name: 'create' } | { name: 'rotate' | 'revoke'; key: KeyRow };

/** The keys of the platform: what each may do, when it was used, when it ends. */
export default function Keys() {
  const texts = t(catalogue);
  const mayRead = may('admin', 'read');
  const mayWrite = may('admin', 'write') && !isReadOnly.value;
  const keys = useQuery((signal) => get('GET /platform/keys', {}, signal), [], { isEnabled: mayRead });
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
        <Query
          of={keys}
          height={240}
          isEmpty={({ keys: list }) => list.length === 0}
          empty={<p>{texts.empty}</p>}
        >
          {({ keys: list }) => (
            <ul class="keys">
              {list.map((key) => (
                <KeyCard
                  key={key.id}
                  of={key}
                  now={now}
                  onAct={mayWrite ? (name) => (act.value = { name, key }) : null}
                />
              ))}
            </ul>
          )}
        </Query>
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
  const texts = t(catalogue);
  const state = stateOf(key, now);
  const works = state === 'active' || state === 'replaced';
  const label = key.label ?? texts.unnamed;
  return (
    <li class="panel" data-state={state}>
      <header class="key-head">
        <h2 dir="auto">{label}</h2>
        <span class={`key-mode ${key.isTest ? 'test' : 'live'}`}>{key.isTest ? texts.test : texts.live}</span>
        {key.id === session.value?.keyId && <span class="soft">{texts.own}</span>}
        {onAct && works && (
          <div class="actions">
            {state === 'active' && (
              <button type="button" onClick={() => onAct('rotate')} aria-label={texts.rotateOf(label)}>
                {texts.rotate}
              </button>
            )}
            <button
              type="button"
              class="danger"
              onClick={() => onAct('revoke')}
              aria-label={texts.revokeOf(label)}
            >
              {texts.revoke}
            </button>
          </div>
        )}
      </header>
      <dl class="pairs">
        <div>
          <dt>{texts.state}</dt>
          <dd class={works ? (state === 'active' ? 'good' : 'warn') : 'soft'}>
            {state === 'replaced' && key.expiresAt
              ? texts.replaced(countdown(key.expiresAt, now))
              : texts[state === 'replaced' ? 'active' : state]}
          </dd>
        </div>
        <div>
          <dt>{texts.access}</dt>
          <dd>
            {key.scopes.length === 0
              ? texts.everything
              : key.scopes.map((scope) => <code key={scope}>{scope} </code>)}
          </dd>
        </div>
        {key.allowedCidrs.length > 0 && (
          <div>
            <dt>{texts.networks}</dt>
            <dd>
              <code>{key.allowedCidrs.join(', ')}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.lastUse}</dt>
          <dd>{key.lastUsedAt ? <Moment at={key.lastUsedAt} distance /> : texts.never}</dd>
        </div>
        <div>
          <dt>{texts.expires}</dt>
          <dd>{key.expiresAt ? <Moment at={key.expiresAt} /> : texts.noEnd}</dd>
        </div>
      </dl>
    </li>
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
