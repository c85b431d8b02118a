import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { ActButton } from '../../kit/Button.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Chips, Page } from '../../kit/parts.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Campaigns } from './Campaigns.tsx';
import { Disputes } from './Disputes.tsx';
import { Confirmations, References } from './Requests.tsx';
import { Reviews } from './Reviews.tsx';
import { StartCampaign } from './StartCampaign.tsx';
import { texts } from './texts.ts';

const KINDS = ['confirmations', 'references', 'campaigns', 'disputes', 'reviews'] as const;
type Kind = (typeof KINDS)[number];
const PATHS = {
  confirmations: 'GET /confirmations',
  references: 'GET /references',
  campaigns: 'GET /activation/campaigns',
  disputes: 'GET /disputes',
  reviews: 'GET /reviews',
} as const;
const OF_REQUESTS = ['PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED', 'CANCELLED'];
/** Of cases the open ones are shown unless somebody asks for all. */
const ALL = 'ALL';
const STATUSES: Readonly<Record<Kind, readonly string[]>> = {
  confirmations: OF_REQUESTS,
  references: OF_REQUESTS,
  campaigns: [],
  disputes: ['OPEN', 'RESOLVED_FOR_USER', 'RESOLVED_AGAINST_USER', ALL],
  reviews: ['OPEN', 'ANSWERED', 'WITHDRAWN', ALL],
};

/** What waits for somebody's answer, with its clock. */
export default function Inbox() {
  const kind = KINDS.find((known) => known === query.value.get('of')) ?? 'confirmations';
  const statuses = STATUSES[kind];
  const areCases = statuses.includes(ALL);
  const chosen = statuses.find((known) => known === query.value.get('status')) ?? (areCases ? 'OPEN' : null);
  const status = chosen === ALL ? null : chosen;
  const sort = status === 'OPEN' ? 'deadline' : null;
  const isStarting = useSignal(false);
  const started = useSignal(0);
  return (
    <Page
      title={texts.title}
      calls={[requestOf(PATHS[kind], { query: { status, sort } })]}
      actions={
        may('events', 'write') && (
          <ActButton press="n" text={texts.newCampaign} onAct={() => (isStarting.value = true)} />
        )
      }
    >
      <div class="filters">
        <Chips
          label={texts.what}
          options={KINDS}
          textOf={(value) => texts.kinds[value]}
          chosen={kind}
          onChoose={(value) => setQuery({ of: value, status: null, dispute: null, review: null })}
        />
      </div>
      {statuses.length > 0 && (
        <div class="filters">
          <Chips
            label={texts.status}
            options={statuses}
            textOf={(value) => (value === ALL ? texts.all : wordsFor('requestStatus', value))}
            chosen={chosen}
            onChoose={(value) => setQuery({ status: value ?? (areCases ? ALL : null) })}
          />
        </div>
      )}
      {kind === 'campaigns' && <Campaigns version={started.value} />}
      {kind === 'disputes' && <Disputes status={status} />}
      {kind === 'reviews' && <Reviews status={status} />}
      {kind === 'confirmations' && <Confirmations status={status} />}
      {kind === 'references' && <References status={status} />}
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
