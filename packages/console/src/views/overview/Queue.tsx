import { get } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { Query } from '../../kit/Query.tsx';
import { t } from '../../kit/texts.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

/** How far scores and deliveries are behind. */
export function Queue() {
  const texts = t(catalogue);
  const status = useQuery((signal) => get('GET /status.json', {}, signal), []);
  return (
    <section class="panel">
      <h2>{texts.queue}</h2>
      <Query of={status} height={140}>
        {({ checks: { worker, outbox } }) => (
          <dl class="tiles">
            <Tile title={texts.scoresBehind} seconds={worker.queueLagSeconds} status={worker.status} />
            <Tile title={texts.deliveriesBehind} seconds={outbox.waitingSeconds} status={outbox.status} />
          </dl>
        )}
      </Query>
    </section>
  );
}

function Tile({ title, seconds, status }: { title: string; seconds: number | null; status: string }) {
  const texts = t(catalogue);
  const isBad = status !== 'ok';
  return (
    <div>
      <dt>{title}</dt>
      <dd class={isBad ? 'bad' : undefined}>
        {seconds === null ? '–' : texts.seconds(formatNumber(seconds))}
        {isBad && <small> {texts.late}</small>}
      </dd>
    </div>
  );
}
