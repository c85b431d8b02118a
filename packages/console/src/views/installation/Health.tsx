import type { AnswerOf } from '../../kit/api.ts';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { t } from '../../kit/texts.ts';
import { texts as catalogue } from './texts.ts';

/** What /status.json says. */
export function Health({ of: { status, checks, history, processes } }: { of: AnswerOf<'GET /status.json'> }) {
  const texts = t(catalogue);
  const { database, worker, outbox, log } = checks;
  const uptimes = [history?.['24h'].uptime, history?.['7d'].uptime];
  return (
    <dl class="tiles">
      <Tile
        title={texts.overall}
        status={status === 'operational' ? 'ok' : 'failed'}
        value={texts.statuses[status]}
        notes={[]}
      />
      <Tile
        title={texts.database}
        status={database.status}
        notes={[database.latencyMs === null ? null : texts.latency(formatNumber(database.latencyMs, 1))]}
      />
      <Tile
        title={texts.worker}
        status={worker.status}
        notes={[
          worker.queueLagSeconds === null ? null : texts.lag(formatNumber(worker.queueLagSeconds)),
          worker.failingRecords ? texts.failing(worker.failingRecords) : null,
        ]}
      />
      <Tile
        title={texts.outbox}
        status={outbox.status}
        notes={[outbox.waitingSeconds === null ? null : texts.lag(formatNumber(outbox.waitingSeconds))]}
      />
      <Tile
        title={texts.log}
        status={log.status}
        notes={[log.treeSize === null ? null : texts.facts(log.treeSize)]}
      />
      <div>
        <dt>{texts.processes}</dt>
        <dd>{texts.running(formatNumber(processes.running), formatNumber(processes.configured))}</dd>
      </div>
      <div>
        <dt>{texts.uptime}</dt>
        <dd>{uptimes.map((uptime) => (uptime == null ? '–' : formatPercent(uptime, 2))).join(' · ')}</dd>
      </div>
    </dl>
  );
}

interface TileProps {
  title: string;
  status: string;
  value?: string;
  notes: readonly (string | null)[];
}

function Tile({ title, status, value = status, notes }: TileProps) {
  const kind = status === 'ok' ? 'good' : status === 'unknown' ? 'soft' : 'bad';
  return (
    <div>
      <dt>{title}</dt>
      <dd class={kind}>
        {value}
        {notes.map((note) => note && <small key={note}> {note}</small>)}
      </dd>
    </div>
  );
}
