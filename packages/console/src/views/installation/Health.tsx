import type { AnswerOf } from '../../kit/api.ts';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { Tile } from '../../kit/parts.tsx';
import { texts } from './texts.ts';

/** What /status.json says. */
export function Health({ of: { status, checks, history, processes } }: { of: AnswerOf<'GET /status.json'> }) {
  const { database, worker, outbox, log } = checks;
  const uptimes = [history?.['24h'].uptime, history?.['7d'].uptime];
  return (
    <dl class="tiles">
      <Check
        name={texts.overall}
        status={status === 'operational' ? 'ok' : 'failed'}
        value={texts.statuses[status]}
      />
      <Check
        name={texts.database}
        status={database.status}
        note={database.latencyMs !== null && texts.latency(formatNumber(database.latencyMs, 1))}
      />
      <Check
        name={texts.worker}
        status={worker.status}
        note={[
          worker.queueLagSeconds !== null && texts.lag(formatNumber(worker.queueLagSeconds)),
          worker.failingRecords && texts.failing(worker.failingRecords),
        ]
          .filter(Boolean)
          .join(' ')}
      />
      <Check
        name={texts.outbox}
        status={outbox.status}
        note={outbox.waitingSeconds !== null && texts.lag(formatNumber(outbox.waitingSeconds))}
      />
      <Check name={texts.log} status={log.status} note={log.treeSize !== null && texts.facts(log.treeSize)} />
      <Tile
        name={texts.processes}
        value={texts.running(formatNumber(processes.running), formatNumber(processes.configured))}
      />
      <Tile
        name={texts.uptime}
        value={uptimes.map((uptime) => (uptime == null ? '–' : formatPercent(uptime, 2))).join(' · ')}
      />
    </dl>
  );
}

interface CheckProps {
  name: string;
  status: string;
  value?: string;
  note?: string | false;
}

function Check({ name, status, value, note }: CheckProps) {
  const look = status === 'ok' ? 'good' : status === 'unknown' ? 'soft' : 'bad';
  const words = (texts.checks as Readonly<Record<string, string>>)[status] ?? status;
  return <Tile name={name} class={look} value={value ?? words} note={note} />;
}
