import { useSignal } from '@preact/signals';
import { requestOf, send } from '../../kit/api.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { OutsideLink } from '../../kit/Link.tsx';
import { Failure } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/useAction.ts';
import { texts as catalogue } from './texts.ts';

const CREDENTIALS = [
  'ServiceProfessionalRecordCredential',
  'ServiceEarningsCredential',
  'ServiceDeliveryReceiptCredential',
  'ServiceAgentDeliveryCredential',
] as const;

/** The public share link, and credentials for wallets. */
export function Sharing({ id, isLive }: { id: string; isLive: boolean }) {
  const texts = t(catalogue);
  const params = { id };
  const withProfile = useSignal(false);
  const type = useSignal<(typeof CREDENTIALS)[number]>(CREDENTIALS[0]);
  const share = useAction(() =>
    send(requestOf('POST /users/{id}/share-token', { params, body: { includeProfile: withProfile.value } })),
  );
  const withdraw = useAction(async () => {
    await send(requestOf('DELETE /users/{id}/share-token', { params }));
    share.reset();
    toast(texts.withdrawn);
  });
  const offer = useAction(() =>
    send(requestOf('POST /users/{id}/credential-offers', { params, body: { credentialType: type.value } })),
  );
  const failure = share.failure ?? withdraw.failure ?? offer.failure;
  return (
    <section class="panel">
      <h2>{texts.sharing}</h2>
      {!isLive || !may('scores', 'write') ? (
        <p class="soft">{isLive ? texts.notAllowed : texts.testOnly}</p>
      ) : (
        <div class="form">
          <label class="check">
            <input
              type="checkbox"
              checked={withProfile.value}
              onChange={({ currentTarget }) => (withProfile.value = currentTarget.checked)}
            />
            {texts.includeProfile}
          </label>
          <div class="actions">
            <button type="button" onClick={() => void share.run()} disabled={share.isBusy}>
              {texts.share}
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => void withdraw.run()}
              disabled={withdraw.isBusy}
            >
              {texts.withdraw}
            </button>
          </div>
          {share.result && (
            <dl class="pairs note">
              <div>
                <dt>{texts.verifyPage}</dt>
                <dd>
                  <OutsideLink href={share.result.verifyUrl} /> <CopyButton text={share.result.verifyUrl} />
                </dd>
              </div>
              <div>
                <dt>{texts.badge}</dt>
                <dd>
                  <OutsideLink href={share.result.badgeUrl} />
                </dd>
              </div>
            </dl>
          )}
          <label>
            {texts.credentialType}
            <select
              value={type.value}
              onChange={({ currentTarget }) =>
                (type.value = CREDENTIALS.find((known) => known === currentTarget.value) ?? CREDENTIALS[0])
              }
            >
              {CREDENTIALS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <div class="actions">
            <button type="button" onClick={() => void offer.run()} disabled={offer.isBusy}>
              {texts.offer}
            </button>
          </div>
          {offer.result && (
            <div class="note">
              <p>{texts.offerNote}</p>
              <img
                class="qr"
                alt={texts.offer}
                src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(offer.result.qrSvg)}`}
              />
              <CopyButton text={offer.result.credentialOfferUri} />
            </div>
          )}
        </div>
      )}
      {failure && <Failure of={failure} />}
    </section>
  );
}
