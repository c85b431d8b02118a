import { useSignal } from '@preact/signals';
import { ActButton } from '../../kit/ActButton.tsx';
import { requestOf } from '../../kit/api.ts';
import { Chips } from '../../kit/Chips.tsx';
import { Page } from '../../kit/Page.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { t } from '../../kit/texts.ts';
import { Campaigns } from './Campaigns.tsx';
import { Disputes } from './Disputes.tsx';
import { Requests } from './Requests.tsx';
import { StartCampaign } from './StartCampaign.tsx';
import { texts as catalogue } from './texts.ts';

const KINDS = ['confirmations', 'references', 'campaigns', 'disputes'] as const;
type Kind = (typeof KINDS)[number];
const PATHS = {
  confirmations: 'GET /confirmations',
  references: 'GET /references',
  campaigns: 'GET /activation/campaigns',
  disputes: 'GET /disputes',
} as const;
const STATUSES: Readonly<Record<Kind, readonly string[]>> = {
  confirmations: ['PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED'],
  references: ['PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED'],
  campaigns: [],
  disputes: ['OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER'],
};

/** What waits for somebody's answer, with its clock. */
export default function Inbox() {
  const texts = t(catalogue);
  const kind = KINDS.find((known) => known === query.value.get('of')) ?? 'confirmations';
  const statuses = STATUSES[kind];
  const status = statuses.find((known) => known === query.value.get('status')) ?? null;
  const isStarting = useSignal(false);
  const started = useSignal(0);
  const nameOf = (value: string) => texts.statuses[value as keyof typeof texts.statuses];
  return (
    <Page
      title={texts.title}
      calls={[requestOf(PATHS[kind], { query: { status } })]}
      actions={
        may('events', 'write') && (
          <ActButton press="n" text={texts.newCampaign} onAct={() => (isStarting.value = true)} />
        )
      }
    >
      <div class="filters">
        <Chips
          label={texts.what}
          options={KINDS.map((value) => ({ value, text: texts.kinds[value] }))}
          chosen={kind}
          onChoose={(value) => setQuery({ of: value, status: null })}
        />
      </div>
      {statuses.length > 0 && (
        <div class="filters">
          <Chips
            label={texts.status}
            options={statuses.map((value) => ({ value, text: nameOf(value) }))}
            chosen={status}
            onChoose={(value) => setQuery({ status: value })}
          />
        </div>
      )}
      {kind === 'campaigns' ? (
        <Campaigns version={started.value} />
      ) : kind === 'disputes' ? (
        <Disputes status={status} />
      ) : (
        <Requests key={kind} kind={kind} status={status} />
      )}
      {isStarting.value && (
        <StartCampaign
          onClose={() => (isStarting.value = false)}
          onStarted={() => {
            started.value += 1;
            setQuery({ of: 'campaigns', status: null });
          }}
        />
      )}
    </Page>
  );
}
