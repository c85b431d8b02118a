import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Download } from '../../kit/Download.tsx';
import { Field, Select } from '../../kit/form.tsx';
import { Details, Moment, Page } from '../../kit/parts.tsx';
import { useGet, useList } from '../../kit/Query.tsx';
import { query, setQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { actionText } from './actionTexts.ts';
import { texts } from './texts.ts';

type Entry = AnswerOf<'GET /activity'>['activity'][number];

const LIMIT = 100;

/** Who did what, newest first. */
export default function Activity() {
  if (!may('usage', 'read'))
    return (
      <Page title={texts.title}>
        <p class="note">{texts.notAllowed}</p>
      </Page>
    );
  return <Trail />;
}

function Trail() {
  const opened = useSignal<Entry | null>(null);
  const value = (name: string) => query.value.get(name) ?? '';
  const filter = { action: value('action'), from: value('from'), to: value('to') };
  const isFiltered = Object.values(filter).some((text) => text !== '');
  const enums = useGet('GET /enums');
  const entries = useList('GET /activity', 'activity', { query: filter });
  const set = (name: string) => (chosen: string) => setQuery({ [name]: chosen }, { replace: true });
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
        <Select
          label={texts.action}
          of={(enums.data?.activityAction ?? []).map((action) => action.value)}
          textOf={actionText}
          none={texts.all}
          chosen={filter.action}
          onChoose={set('action')}
        />
        {(['from', 'to'] as const).map((name) => (
          <Field
            key={name}
            label={texts[name]}
            type="date"
            value={filter[name]}
            onChange={(event) => set(name)(event.currentTarget.value)}
          />
        ))}
      </div>
      <Table
        label={texts.title}
        pages={entries}
        keyOf={({ id }) => id}
        stackedHeight={104}
        onOpen={(entry) => (opened.value = entry)}
        empty={<p>{isFiltered ? texts.noMatch : texts.empty}</p>}
        columns={[
          { title: texts.at, since: ({ at }) => at, width: '9rem' },
          { title: texts.action, cell: ({ action }) => actionText(action), width: 'minmax(0, 2fr)' },
          {
            title: texts.actor,
            cell: ({ actor }) => actorText(actor),
            width: 'minmax(10rem, 1fr)',
          },
          {
            title: texts.target,
            cell: ({ target }) => target && <code>{target}</code>,
            width: 'minmax(0, 2fr)',
            hideBelow: 1000,
          },
        ]}
      />
      {opened.value && <EntryDialog of={opened.value} onClose={() => (opened.value = null)} />}
    </Page>
  );
}

function EntryDialog({ of, onClose }: { of: Entry; onClose: () => void }) {
  const { action, at, actor, target, details } = of;
  return (
    <Dialog title={actionText(action)} onClose={onClose}>
      <Details
        of={[
          [texts.action, <code>{action}</code>],
          [texts.at, <Moment at={at} />],
          [texts.actor, <code>{actor}</code>],
          [texts.target, <code dir="auto">{target ?? '–'}</code>],
        ]}
      />
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

/** A person by their address, a key by the end of its id. */
function actorText(actor: string): string {
  if (actor.startsWith('user:')) return actor.slice('user:'.length);
  const [kind = '', id] = actor.split(':');
  const name = (texts.actors as Readonly<Record<string, string>>)[kind] ?? kind;
  return id ? `${name} …${id.slice(-6)}` : name;
}
