import { useSignal } from '@preact/signals';
import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Download } from '../../kit/Download.tsx';
import { formatMoment } from '../../kit/format.ts';
import { Moment } from '../../kit/Moment.tsx';
import { Page } from '../../kit/Page.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { t } from '../../kit/texts.ts';
import { usePages, useQuery } from '../../kit/useQuery.ts';
import { texts as catalogue } from './texts.ts';

type Entry = AnswerOf<'GET /activity'>['activity'][number];

const LIMIT = 100;

/** Who did what, newest first. */
export default function Activity() {
  const texts = t(catalogue);
  if (!may('usage', 'read'))
    return (
      <Page title={texts.title}>
        <p class="note">{texts.notAllowed}</p>
      </Page>
    );
  return <Trail />;
}

function Trail() {
  const texts = t(catalogue);
  const opened = useSignal<Entry | null>(null);
  const value = (name: string) => query.value.get(name) ?? '';
  const filter = { action: value('action'), from: value('from'), to: value('to') };
  const isFiltered = Object.values(filter).some((text) => text !== '');
  const enums = useQuery((signal) => get('GET /enums', {}, signal), []);
  const entries = usePages(async (cursor, signal) => {
    const { activity, nextCursor } = await get(
      'GET /activity',
      { query: { ...filter, limit: LIMIT, cursor } },
      signal,
    );
    return { rows: activity, nextCursor };
  }, Object.values(filter));
  const actions = enums.data?.activityAction ?? [];
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    setQuery({ [name]: event.currentTarget.value || null }, { replace: true });
  return (
    <Page
      title={texts.title}
      calls={[requestOf('GET /activity', { query: { ...filter, limit: LIMIT } })]}
      actions={
        <Download
          call={requestOf('GET /activity', { query: { ...filter, limit: LIMIT, format: 'csv' } })}
          name="activity.csv"
          text={texts.download}
        />
      }
    >
      <div class="filters">
        <label>
          {texts.action}{' '}
          <select value={filter.action} onChange={set('action')}>
            <option value="">{texts.all}</option>
            {actions.map(({ value: action }) => (
              <option key={action} value={action} selected={action === filter.action}>
                {action}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.from} <input type="date" value={filter.from} onChange={set('from')} />
        </label>
        <label>
          {texts.to} <input type="date" value={filter.to} onChange={set('to')} />
        </label>
      </div>
      <Table
        label={texts.title}
        pages={entries}
        keyOf={({ id }) => id}
        onOpen={(entry) => (opened.value = entry)}
        empty={<p>{isFiltered ? texts.noMatch : texts.empty}</p>}
        columns={[
          { title: texts.at, cell: ({ at }) => <Moment at={at} distance />, width: '9rem' },
          { title: texts.action, cell: ({ action }) => <code>{action}</code>, width: 'minmax(0, 2fr)' },
          { title: texts.actor, cell: ({ actor }) => actorText(actor), width: '10rem', hideBelow: 640 },
          {
            title: texts.target,
            cell: ({ target }) => <code>{target ?? '–'}</code>,
            width: 'minmax(0, 2fr)',
            hideBelow: 1000,
          },
        ]}
      />
      {opened.value && <EntryDialog of={opened.value} onClose={() => (opened.value = null)} />}
    </Page>
  );
}

function EntryDialog({
  of: { action, at, actor, target, details },
  onClose,
}: {
  of: Entry;
  onClose: () => void;
}) {
  const texts = t(catalogue);
  return (
    <Dialog title={action} onClose={onClose}>
      <dl class="pairs">
        <div>
          <dt>{texts.at}</dt>
          <dd>{formatMoment(at)}</dd>
        </div>
        <div>
          <dt>{texts.actor}</dt>
          <dd>
            <code>{actor}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.target}</dt>
          <dd>
            <code dir="auto">{target ?? '–'}</code>
          </dd>
        </div>
      </dl>
      {details && (
        <>
          <h3>{texts.details}</h3>
          <pre class="code" dir="auto">
            {JSON.stringify(details, null, 2)}
          </pre>
        </>
      )}
    </Dialog>
  );
}

/** `key:0199…` → the first characters of the key's id, as in the list of keys. */
function actorText(actor: string): string {
  const texts = t(catalogue);
  const [kind = '', id] = actor.split(':');
  const names: Record<string, string> = {
    key: texts.key,
    operator: texts.operator,
    service: texts.service,
    platform: texts.platform,
    counterparty: texts.counterparty,
  };
  return id ? `${names[kind] ?? kind} …${id.slice(-6)}` : (names[kind] ?? actor);
}
