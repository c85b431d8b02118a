import { formatNumber } from '../../kit/format.ts';
import { Panel, Tile } from '../../kit/parts.tsx';
import { Query } from '../../kit/Query.tsx';
import { useGet } from '../../kit/useQuery.ts';
import { texts } from './texts.ts';

/** How far scores and deliveries are behind. */
export function Queue() {
  const status = useGet('GET /status.json');
  return (
    <Panel title={texts.queue}>
      <Query of={status} height={140}>
        {({ checks: { worker, outbox } }) => (
          <dl class="tiles">
            <Delay name={texts.scoresBehind} seconds={worker.queueLagSeconds} status={worker.status} />
            <Delay name={texts.deliveriesBehind} seconds={outbox.waitingSeconds} status={outbox.status} />
          </dl>
        )}
      </Query>
    </Panel>
  );
}

interface DelayProps {
  name: string;
  seconds: number | null;
  status: string;
}

function Delay({ name, seconds, status }: DelayProps) {
  const isBad = status !== 'ok';
  const value = seconds === null ? null : texts.seconds(formatNumber(seconds));
  return <Tile name={name} class={isBad ? 'bad' : undefined} value={value} note={isBad && texts.late} />;
}
