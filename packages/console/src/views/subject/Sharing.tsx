import { useSignal } from '@preact/signals';
import { requestOf, send } from '../../kit/api.ts';
import { Button, CopyButton } from '../../kit/Button.tsx';
import { ConfirmButton } from '../../kit/Confirm.tsx';
import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Check, Select } from '../../kit/form.tsx';
import { OutsideLink } from '../../kit/Link.tsx';
import { Details, Panel } from '../../kit/parts.tsx';
import { Failure } from '../../kit/Query.tsx';
import { may } from '../../kit/session.ts';
import { useAction } from '../../kit/useAction.ts';
import { RecordLinks } from './RecordLinks.tsx';
import { texts } from './texts.ts';

const CREDENTIALS = valuesOf('credentialType');

/** The public share link, and credentials for wallets. */
export function Sharing({ id, isLive }: { id: string; isLive: boolean }) {
  const params = { id };
  const withProfile = useSignal(false);
  const type = useSignal<string | undefined>(CREDENTIALS[0]);
  const share = useAction(() =>
    send(requestOf('POST /users/{id}/share-token', { params, body: { includeProfile: withProfile.value } })),
  );
  const offer = useAction(() =>
    send(requestOf('POST /users/{id}/credential-offers', { params, body: { credentialType: type.value } })),
  );
  const failure = share.failure ?? offer.failure;
  if (!isLive || !may('scores', 'write'))
    return (
      <Panel title={texts.sharing}>
        <p class="soft">{isLive ? texts.notAllowed : texts.testOnly}</p>
        {may('scores', 'write') && <RecordLinks id={id} />}
      </Panel>
    );
  return (
    <Panel title={texts.sharing}>
      <div class="form">
        <Check
          label={texts.includeProfile}
          checked={withProfile.value}
          onChange={({ currentTarget }) => (withProfile.value = currentTarget.checked)}
        />
        <div class="actions">
          <Button text={texts.share} onClick={() => void share.run()} disabled={share.isBusy} />
          <ConfirmButton
            text={texts.withdraw}
            title={texts.withdrawSure(id)}
            submit={texts.withdraw}
            lost={[texts.withdrawLost, texts.withdrawKept]}
            call={() => requestOf('DELETE /users/{id}/share-token', { params })}
            doneText={() => texts.withdrawn}
            onDone={() => share.reset()}
          />
        </div>
        {share.result && (
          <div class="note">
            <Details
              of={[
                [
                  texts.verifyPage,
                  <>
                    <OutsideLink href={share.result.verifyUrl} /> <CopyButton text={share.result.verifyUrl} />
                  </>,
                ],
                [texts.badge, <OutsideLink href={share.result.badgeUrl} />],
              ]}
            />
          </div>
        )}
        <Select
          label={texts.credentialType}
          of={CREDENTIALS}
          textOf={(each) => wordsFor('credentialType', each)}
          chosen={type.value}
          onChoose={(chosen) => (type.value = chosen)}
        />
        <div class="actions">
          <Button text={texts.offer} onClick={() => void offer.run()} disabled={offer.isBusy} />
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
      {failure && <Failure of={failure} />}
      <RecordLinks id={id} />
    </Panel>
  );
}
