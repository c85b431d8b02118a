import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { ActButton } from '../../kit/Button.tsx';
import { wordsFor } from '../../kit/enumTexts.ts';
import { Moment, Page } from '../../kit/parts.tsx';
import { useList } from '../../kit/Query.tsx';
import { mayOperate } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { CreatePlatform, PlatformDialog } from './PlatformDialogs.tsx';
import { texts } from './texts.ts';

type PlatformRow = AnswerOf<'GET /admin/platforms'>['platforms'][number];

/** The platforms of the installation, for its operator. */
export default function Platforms() {
  const opened = useSignal<PlatformRow | 'new' | null>(null);
  const platforms = useList('GET /admin/platforms', 'platforms');
  const close = () => {
    opened.value = null;
    platforms.reload();
  };
  const create = mayOperate.value && (
    <ActButton press="n" text={texts.create} class="primary" onAct={() => (opened.value = 'new')} />
  );
  return (
    <Page
      title={texts.title}
      calls={[requestOf('GET /admin/platforms', { query: { limit: 100 } })]}
      actions={create}
    >
      <Table
        label={texts.title}
        pages={platforms}
        keyOf={({ id }) => id}
        onOpen={(row) => (opened.value = row)}
        empty={<p>{texts.empty}</p>}
        columns={[
          { title: texts.name, cell: ({ name }) => <span dir="auto">{name}</span>, width: 'minmax(0, 2fr)' },
          { title: texts.plan, cell: ({ plan }) => wordsFor('planTier', plan), width: '7rem' },
          {
            title: texts.tier,
            cell: ({ trustTier }) => wordsFor('platformTier', trustTier),
            width: '9rem',
            hideBelow: 640,
          },
          {
            title: texts.state,
            cell: ({ isActive }) => (
              <span class={isActive ? 'good' : 'bad'}>{isActive ? texts.active : texts.inactive}</span>
            ),
            width: '8rem',
            hideBelow: 640,
          },
          {
            title: texts.created,
            cell: ({ createdAt }) => <Moment at={createdAt} />,
            width: '11rem',
            hideBelow: 1000,
          },
        ]}
      />
      {opened.value === 'new' && <CreatePlatform onClose={close} />}
      {opened.value !== null && opened.value !== 'new' && (
        <PlatformDialog of={opened.value} onClose={close} />
      )}
    </Page>
  );
}
