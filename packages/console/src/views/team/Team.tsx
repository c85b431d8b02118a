import { useSignal } from '@preact/signals';
import { type AnswerOf, requestOf } from '../../kit/api.ts';
import { ActButton, Button } from '../../kit/Button.tsx';
import { Field, FormDialog, Select } from '../../kit/form.tsx';
import { kitTexts } from '../../kit/kitTexts.ts';
import { Moment, Page } from '../../kit/parts.tsx';
import { useList } from '../../kit/Query.tsx';
import { isReadOnly, issuer, may, mayOperate, session, viewing } from '../../kit/session.ts';
import { Table } from '../../kit/Table.tsx';
import { texts } from './texts.ts';

type User = AnswerOf<'GET /platform/users'>['users'][number];
const ROLES = ['viewer', 'support', 'admin'] as const;
type Act = { name: 'add' } | { name: 'change' | 'remove'; user: User };

/** Who may sign in to the console, and as what: people of a platform, or of the operator. */
export default function Team() {
  const isOperators = session.value?.kind === 'operator' && viewing.value === null;
  const isTestKey = session.value?.mode === 'test';
  if (!isOperators && (isTestKey || !may('admin', 'read')))
    return (
      <Page title={texts.title}>
        <p class="note">{texts.notAllowed}</p>
      </Page>
    );
  const mayWrite = isOperators ? mayOperate.value : may('admin', 'write') && !isReadOnly.value;
  return <People place={isOperators ? 'admin' : 'platform'} mayWrite={mayWrite} />;
}

interface PlaceProps {
  place: 'admin' | 'platform';
}

function People({ place, mayWrite }: PlaceProps & { mayWrite: boolean }) {
  const act = useSignal<Act | null>(null);
  const users = useList(`GET /${place}/users`, 'users');
  const close = () => {
    act.value = null;
    users.reload();
  };
  const acts = mayWrite && (
    <ActButton press="n" text={texts.add} class="primary" onAct={() => (act.value = { name: 'add' })} />
  );
  return (
    <Page title={texts.title} calls={[requestOf(`GET /${place}/users`)]} actions={acts}>
      <p class="soft">{texts.lead}</p>
      {issuer.value === null && (
        <p class="note">
          {texts.noIssuer} <a href="/docs/going-live#people">{texts.guide}</a>
        </p>
      )}
      <Table
        label={texts.title}
        pages={users}
        keyOf={({ id }) => id}
        empty={<p>{texts.empty}</p>}
        stackedHeight={152}
        columns={[
          {
            title: texts.email,
            cell: ({ id, email }) => (
              <>
                {email} {id === session.value?.person?.userId && <span class="soft">({texts.you})</span>}
              </>
            ),
            width: 'minmax(0, 2fr)',
          },
          { title: texts.role, cell: ({ role }) => kitTexts.roles[role], width: '9rem' },
          {
            title: texts.lastSignIn,
            cell: ({ lastSignedInAt: at }) => (at ? <Moment at={at} distance /> : texts.never),
            width: '9rem',
          },
          { title: texts.since, since: ({ createdAt }) => createdAt, width: '9rem', hideBelow: 1000 },
          ...(mayWrite
            ? [
                {
                  title: texts.actions,
                  isPlain: true as const,
                  width: '17rem',
                  cell: (user: User) => (
                    <span class="actions">
                      <Button
                        text={texts.change}
                        aria-label={texts.changeOf(user.email)}
                        onClick={() => (act.value = { name: 'change', user })}
                      />
                      <Button
                        text={texts.remove}
                        class="danger"
                        aria-label={texts.removeOf(user.email)}
                        onClick={() => (act.value = { name: 'remove', user })}
                      />
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      {act.value?.name === 'add' && <AddUser place={place} onClose={close} />}
      {act.value?.name === 'change' && <ChangeRole place={place} of={act.value.user} onClose={close} />}
      {act.value?.name === 'remove' && <RemoveUser place={place} of={act.value.user} onClose={close} />}
    </Page>
  );
}

function RoleField({ place, chosen }: PlaceProps & { chosen: User['role'] }) {
  const words = place === 'admin' ? texts.operatorsRoles : texts.roles;
  return <Select name="role" label={texts.role} of={ROLES} textOf={(role) => words[role]} chosen={chosen} />;
}

function AddUser({ place, onClose }: PlaceProps & { onClose: () => void }) {
  return (
    <FormDialog
      title={texts.add}
      submit={texts.add}
      call={(given) =>
        requestOf(`POST /${place}/users`, { body: { email: given.text('email'), role: given.text('role') } })
      }
      doneText={({ email }) => texts.added(email)}
      onClose={onClose}
    >
      <Field
        name="email"
        type="email"
        label={texts.email}
        hint={texts.emailHint}
        required
        maxLength={254}
        spellcheck={false}
      />
      <RoleField place={place} chosen="viewer" />
    </FormDialog>
  );
}

interface UserDialogProps extends PlaceProps {
  of: User;
  onClose: () => void;
}

/** The path of one user. */
function inputOf(place: PlaceProps['place'], id: string): Record<string, string> {
  return place === 'admin' ? { userId: id } : { id };
}

function ChangeRole({ place, of: { id, email, role }, onClose }: UserDialogProps) {
  const name = place === 'admin' ? 'PATCH /admin/users/{userId}' : 'PATCH /platform/users/{id}';
  return (
    <FormDialog
      title={texts.changeOf(email)}
      submit={texts.change}
      call={(given) => requestOf(name, { params: inputOf(place, id), body: { role: given.text('role') } })}
      doneText={() => texts.changed}
      onClose={onClose}
    >
      <RoleField place={place} chosen={role} />
      <p>{texts.changeNote}</p>
      <OwnNote id={id} />
    </FormDialog>
  );
}

function RemoveUser({ place, of: { id, email }, onClose }: UserDialogProps) {
  const name = place === 'admin' ? 'DELETE /admin/users/{userId}' : 'DELETE /platform/users/{id}';
  return (
    <FormDialog
      title={texts.removeOf(email)}
      submit={texts.remove}
      isDanger
      call={() => requestOf(name, { params: inputOf(place, id) })}
      doneText={() => texts.removed(email)}
      onClose={onClose}
    >
      <p>{texts.removeNote(email)}</p>
      <OwnNote id={id} />
    </FormDialog>
  );
}

function OwnNote({ id }: { id: string }) {
  return id === session.value?.person?.userId ? <p class="note">{texts.ownNote}</p> : null;
}
