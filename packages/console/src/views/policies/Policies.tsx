import './policies.css';
import { useSignal } from '@preact/signals';
import { requestOf } from '../../kit/api.ts';
import { Page } from '../../kit/parts.tsx';
import { query } from '../../kit/router.ts';
import type { Tried } from './PolicyDialogs.tsx';
import { previewCall, Threshold } from './Threshold.tsx';
import { texts } from './texts.ts';
import { Monitors, PolicyList } from './Watches.tsx';

const DEFAULT_THRESHOLD = 40;

/** A threshold to try on the book, the saved policies, and the monitors of single subjects. */
export default function Policies() {
  const round = useSignal(0);
  const given = Number(query.value.get('threshold') ?? DEFAULT_THRESHOLD);
  const tried: Tried = {
    threshold: given >= 0 && given <= 100 ? given : DEFAULT_THRESHOLD,
    direction: query.value.get('direction') === 'above' ? 'above' : 'below',
  };
  return (
    <Page
      title={texts.title}
      calls={[
        requestOf('GET /users/summary'),
        previewCall(tried, null),
        requestOf('GET /policies', { query: { limit: 100 } }),
        requestOf('GET /monitors', { query: { limit: 50 } }),
      ]}
    >
      <Threshold tried={tried} onSaved={() => (round.value += 1)} />
      <PolicyList round={round.value} />
      <Monitors />
    </Page>
  );
}
