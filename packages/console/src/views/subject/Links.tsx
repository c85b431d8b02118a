import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Button, CopyButton } from '../../kit/Button.tsx';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { Field, Given } from '../../kit/form.tsx';
import { Panel } from '../../kit/parts.tsx';
import { Failure, Query, useGet } from '../../kit/Query.tsx';
import { isReadOnly, may } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

/** The platforms that share the record, and how to join or leave. */
export function Links({ id, isLive }: { id: string; isLive: boolean }) {
  const params = { id };
  const read = useGet('GET /users/{id}/platforms', { params });
  const token = useSignal<string | null>(null);
  const act = useAct();
  const changed = (text: string) => () => {
    toast(text);
    read.reload();
  };
  const makeToken = () =>
    act.run(requestOf('POST /users/{id}/link-token', { params }), (made) => (token.value = made.linkToken));
  const join = (event: SubmitEvent) => {
    event.preventDefault();
    const linkToken = new Given(event.currentTarget as HTMLFormElement).text('token');
    const call = requestOf('POST /users/{id}/links', { params, body: { linkToken } });
    if (linkToken) void act.run(call, changed(texts.joined));
  };
  return (
    <Panel title={texts.links}>
      <Query of={read} height={80}>
        {({ platforms }) => (
          <>
            <ul class="entries">
              {platforms.map(({ self, name, trustTier, eventCount }) => (
                <li key={`${name} ${trustTier} ${eventCount}`}>
                  <bdi>{name ?? texts.another}</bdi> {self && <span class="soft">({texts.own})</span>} ·{' '}
                  {texts.events(eventCount)}
                </li>
              ))}
            </ul>
            {isLive && !isReadOnly.value && may('scores', 'write') && (
              <div class="form">
                <div class="actions">
                  <Button text={texts.linkToken} onClick={makeToken} disabled={act.isBusy} />
                  {platforms.length > 1 && (
                    <ConfirmButton
                      text={texts.unlink}
                      title={texts.unlinkSure(id)}
                      submit={texts.unlink}
                      lost={[texts.unlinkLost(platforms.length - 1)]}
                      call={() => requestOf('DELETE /users/{id}/links', { params })}
                      onDone={changed(texts.unlinked)}
                    />
                  )}
                </div>
                {token.value && (
                  <div class="note">
                    <p>{texts.linkTokenNote}</p>
                    <code>{token.value}</code> <CopyButton text={token.value} />
                  </div>
                )}
                <form class="inline" onSubmit={join}>
                  <Field name="token" label={texts.joinLabel} spellcheck={false} />
                  <button type="submit" disabled={act.isBusy}>
                    {texts.join}
                  </button>
                </form>
              </div>
            )}
            {act.failure && <Failure of={act.failure} />}
          </>
        )}
      </Query>
    </Panel>
  );
}
