import { useSignal } from '@preact/signals';
import { type AnswerOf, get, requestOf } from '../../kit/api.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Field, Form, FormDialog } from '../../kit/form.tsx';
import { Link } from '../../kit/Link.tsx';
import { type Outcome, OutcomeDetails } from '../../kit/OutcomeDetails.tsx';
import { AskDialog, ReportDialog } from '../../kit/OutcomeDialogs.tsx';
import { outcomeTexts } from '../../kit/outcomeTexts.ts';
import { Details, Moment, SubjectLink } from '../../kit/parts.tsx';
import { Query, useGet, useQuery } from '../../kit/Query.tsx';
import { may, session } from '../../kit/session.ts';
import { toast } from '../../kit/toast.tsx';
import { useAct } from '../../kit/useAction.ts';
import { texts } from './texts.ts';

type Review = AnswerOf<'GET /reviews'>['reviews'][number];

interface ReviewCaseProps {
  id: string;
  onClose: () => void;
  onAnswered: () => void;
}

/** What a subject objects to, what is on record about it, what could be done, and the answer. */
export function ReviewCase({ id, onClose, onAnswered }: ReviewCaseProps) {
  const review = useGet('GET /reviews/{id}', { params: { id } });
  return (
    <Dialog title={texts.reviewTitle} onClose={onClose}>
      <Query of={review} height={480}>
        {(shown) => {
          const isOpen = shown.status === 'OPEN' && may('events', 'write');
          const { userId, eventId } = shown;
          return (
            <>
              <Objection of={shown} />
              {eventId ? (
                <Contested userId={userId} eventId={eventId} isOpen={isOpen} />
              ) : (
                isOpen && <Acts userId={userId} />
              )}
              {isOpen && <AnswerForm id={id} onClose={onClose} onAnswered={onAnswered} />}
            </>
          );
        }}
      </Query>
    </Dialog>
  );
}

function Objection({ of: review }: { of: Review }) {
  const { userId, eventId, status, text, openedAt, respondBy, answeredAt, answer, reviewer } = review;
  return (
    <Details
      of={[
        [texts.subject, <SubjectLink id={userId} />],
        [texts.objection, text === null ? texts.textGone : <span class="words">{text}</span>],
        [texts.about, eventId ? texts.anOutcome : texts.theRecord],
        [texts.opened, <Moment at={openedAt} />],
        status === 'OPEN'
          ? [
              texts.ends,
              <>
                <Moment at={respondBy} />, <Due of={review} />
              </>,
            ]
          : [texts.outcome, <Due of={review} />],
        answeredAt && [texts.answered, <Moment at={answeredAt} />],
        answer && [texts.answer, <span class="words">{answer}</span>],
        reviewer && [texts.reviewer, reviewer],
      ]}
    />
  );
}

interface ContestedProps {
  userId: string;
  eventId: string;
  isOpen: boolean;
}

/** The outcome as it is on record, and its dispute, of which there is at most one. */
function Contested({ userId, eventId, isOpen }: ContestedProps) {
  const read = useQuery(
    async (signal) => {
      const [outcome, { disputes }] = await Promise.all([
        get('GET /events/{id}', { params: { id: eventId } }, signal),
        get('GET /disputes', { query: { eventId } }, signal),
      ]);
      return { outcome, dispute: disputes[0] };
    },
    [eventId],
  );
  return (
    <Query of={read} height={360}>
      {({ outcome, dispute }) => (
        <>
          <h3>{texts.contested}</h3>
          <OutcomeDetails of={outcome} />
          {dispute && (
            <p>
              <Link to={`/inbox?of=disputes&dispute=${dispute.id}`}>{texts.itsDispute}</Link>:{' '}
              {wordsFor('requestStatus', dispute.status)}
            </p>
          )}
          {isOpen && (
            <Acts
              userId={userId}
              about={outcome}
              mayDispute={!dispute && DISPUTABLE.includes(outcome.eventType)}
              onDisputed={read.reload}
            />
          )}
        </>
      )}
    </Query>
  );
}

const DISPUTABLE = ['CONTRACT_BREACHED', 'TRANSACTION_DISPUTED'];

interface ActsProps {
  userId: string;
  about?: Outcome;
  mayDispute?: boolean;
  onDisputed?: () => void;
}

/** What can change the score, which the answer does not. */
function Acts({ userId, about, mayDispute, onDisputed }: ActsProps) {
  const opened = useSignal<'dispute' | 'ask' | 'report' | null>(null);
  const isReported = useSignal(false);
  const close = () => (opened.value = null);
  return (
    <>
      <h3>{texts.couldDo}</h3>
      <p class="soft">{texts.couldDoNote}</p>
      <div class="actions">
        {mayDispute && <Button text={texts.openDispute} onClick={() => (opened.value = 'dispute')} />}
        <Button text={outcomeTexts.ask} onClick={() => (opened.value = 'ask')} />
        <Button text={outcomeTexts.report} onClick={() => (opened.value = 'report')} />
      </div>
      {isReported.value && <p class="good">{outcomeTexts.reported}</p>}
      {opened.value === 'ask' && <AskDialog id={userId} about={about} onAsked={() => {}} onClose={close} />}
      {opened.value === 'report' && (
        <ReportDialog
          id={userId}
          about={about}
          onReported={() => (isReported.value = true)}
          onClose={close}
        />
      )}
      {opened.value === 'dispute' && (
        <FormDialog
          title={texts.openDispute}
          submit={texts.openDispute}
          call={(given) =>
            requestOf('POST /disputes', { body: { eventId: about?.id, reason: given.text('reason') } })
          }
          doneText={() => texts.disputeOpened}
          onDone={onDisputed}
          onClose={close}
        >
          <p>{texts.resolveNote}</p>
          <label>
            {texts.reason}
            <textarea name="reason" rows={3} maxLength={2000} dir="auto" />
          </label>
        </FormDialog>
      )}
    </>
  );
}

function AnswerForm({ id, onClose, onAnswered }: ReviewCaseProps) {
  const act = useAct();
  return (
    <>
      <h3>{texts.answer}</h3>
      <Form
        submit={texts.sendAnswer}
        isBusy={act.isBusy}
        failure={act.failure}
        onCancel={onClose}
        onSubmit={(given) => {
          const fields = ['outcome', 'text', 'reviewer'];
          const body = Object.fromEntries(fields.map((name) => [name, given.text(name)]));
          void act.run(requestOf('POST /reviews/{id}/answer', { params: { id }, body }), () => {
            toast(texts.answerSent);
            onAnswered();
            onClose();
          });
        }}
      >
        <p class="note">{texts.answerNote}</p>
        <fieldset class="choices">
          <legend>{texts.outcome}</legend>
          {valuesOf('reviewOutcome').map((value) => (
            <label key={value} class="check">
              <input type="radio" name="outcome" value={value} required />
              {wordsFor('reviewOutcome', value)}
            </label>
          ))}
        </fieldset>
        <label>
          {texts.answerText}
          <textarea name="text" rows={5} required maxLength={2000} dir="auto" />
        </label>
        <Field
          name="reviewer"
          label={texts.reviewer}
          hint={texts.reviewerHint}
          required
          maxLength={255}
          defaultValue={session.value?.person?.email ?? ''}
        />
      </Form>
    </>
  );
}

/** Until when an open review has to be answered, else what became of it. */
export function Due({ of: { status, overdue, outcome, respondBy } }: { of: Review }) {
  if (status !== 'OPEN')
    return <span>{outcome ? wordsFor('reviewOutcome', outcome) : wordsFor('requestStatus', status)}</span>;
  return (
    <span class={overdue ? 'bad' : 'warn'}>
      {overdue && texts.reviewOverdue} <Moment at={respondBy} distance />
    </span>
  );
}
