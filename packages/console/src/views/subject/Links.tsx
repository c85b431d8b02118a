import { useSignal } from '@preact/signals';
import { get, requestOf, send } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Failure, Query } from '../../kit/Query.tsx';
import { isReadOnly, may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/useAction.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

/** The platforms that share the record, and how to join or leave. */
export function Links({ id, isLive }: { id: string; isLive: boolean }) {
  const texts = t(catalogue);
  const version = useSignal(0);
  const params = { id };
  const read = useQuery(
    (signal) => get('GET /users/{id}/platforms', { params }, signal),
    [id, version.value],
  );
  const token = useAction(() => send(requestOf('POST /users/{id}/link-token', { params })));
  const joining = useAction(async (linkToken: string) => {
    await send(requestOf('POST /users/{id}/links', { params, body: { linkToken } }));
    toast(texts.joined);
    version.value += 1;
  });
  const leaving = useAction(async () => {
    await send(requestOf('DELETE /users/{id}/links', { params }));
    toast(texts.unlinked);
    version.value += 1;
  });
  const failure = token.failure ?? joining.failure ?? leaving.failure;
  const join = (event: SubmitEvent) => {
    event.preventDefault();
    const linkToken = String(new FormData(event.currentTarget as HTMLFormElement).get('token')).trim();
    if (linkToken) void joining.run(linkToken);
  };
  return (
    <section class="panel">
      <h2>{texts.links}</h2>
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
                  <button type="button" onClick={() => void token.run()} disabled={token.isBusy}>
                    {texts.linkToken}
                  </button>
                  {platforms.length > 1 && (
                    <button
                      type="button"
                      class="danger"
                      onClick={() => void leaving.run()}
                      disabled={leaving.isBusy}
                    >
                      {texts.unlink}
                    </button>
                  )}
                </div>
                {token.result && (
                  <div class="note">
                    <p>{texts.linkTokenNote}</p>
                    <code>{token.result.linkToken}</code> <CopyButton text={token.result.linkToken} />
                  </div>
                )}
                <form class="inline" onSubmit={join}>
                  <label>
                    {texts.joinLabel}
                    <input name="token" autocomplete="off" spellcheck={false} />
                  </label>
                  <button type="submit" disabled={joining.isBusy}>
                    {texts.join}
                  </button>
                </form>
              </div>
            )}
            {failure && <Failure of={failure} />}
          </>
        )}
      </Query>
    </section>
  );
}
