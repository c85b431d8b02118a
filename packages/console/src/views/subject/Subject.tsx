import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { get, requestOf } from '../../kit/api.ts';
import { ActButton } from '../../kit/Button.tsx';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { Band, Moment, Page, Tile } from '../../kit/parts.tsx';
import { Failure, Query, Skeleton, useGet } from '../../kit/Query.tsx';
import { isReadOnly, may, mayAsk, mode } from '../../kit/session.ts';
import { language } from '../../kit/texts.ts';
import type { ViewProps } from '../view.ts';
import { Course } from './Course.tsx';
import { Erasure } from './Erasure.tsx';
import { Links } from './Links.tsx';
import { NameAndId, NameButton } from './Name.tsx';
import { AskDialog, ReportDialog } from './OutcomeDialogs.tsx';
import { Proof } from './Proof.tsx';
import { Confirmations, Disputes } from './Requests.tsx';
import { Components, WhatIf } from './ScoreParts.tsx';
import { Sharing } from './Sharing.tsx';
import './subject.css';
import { Timeline } from './Timeline.tsx';
import { texts } from './texts.ts';
import { Waterfall } from './Waterfall.tsx';

/** Everything about one subject. */
export default function Subject({ params }: ViewProps) {
  const id = params.id ?? '';
  // Another subject starts with nothing of the one before.
  return <OneSubject key={id} id={id} />;
}

/** Pauses after a report. The score follows its events by some moments, under load by more. */
const FOLLOW_AFTER_MS = [500, 1000, 2000, 4000, 8000, 16_000, 32_000];

function OneSubject({ id }: { id: string }) {
  const opened = useSignal<'report' | 'ask' | null>(null);
  const version = useSignal(0);
  const one = { params: { id } };
  const user = useGet('GET /users/{id}', one, { version: version.value });
  const score = useGet('GET /users/{id}/score', one, { version: version.value });
  const explanation = useGet('GET /users/{id}/score/explain', one, { version: version.value });
  const move = useGet('GET /users/{id}/score/change', one, { version: `${version.value} ${language.value}` });
  const isErased = score.failure?.code === 'SUBJECT_ERASED';
  const isUnknown = isErased || score.failure?.code === 'USER_NOT_FOUND';
  const close = () => (opened.value = null);
  const refresh = () => {
    version.value += 1;
  };
  const shown = useRef<string>(undefined);
  shown.current = score.data?.computedAt;
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const followScore = async () => {
    refresh();
    for (const pause of FOLLOW_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (isGone.current) return;
      const read = await get('GET /users/{id}/score', one).catch(() => null);
      if (read && read.computedAt !== shown.current) refresh();
    }
  };
  return (
    <Page
      title={<NameAndId id={id} name={user.data?.displayName} />}
      calls={[
        requestOf('GET /users/{id}/score/change', one),
        requestOf('GET /users/{id}', one),
        requestOf('GET /users/{id}/score', one),
        requestOf('GET /users/{id}/score/explain', one),
        requestOf('GET /users/{id}/score/course', one),
        requestOf('GET /users/{id}/score/suggestions', one),
        requestOf('GET /users/{id}/timeline', one),
      ]}
      actions={
        !isReadOnly.value &&
        !isErased && (
          <>
            {may('events', 'write') && (
              <ActButton
                press="r"
                text={texts.report}
                class="primary"
                onAct={() => (opened.value = 'report')}
              />
            )}
            {mayAsk.value && <ActButton press="a" text={texts.ask} onAct={() => (opened.value = 'ask')} />}
            {user.data && may('scores', 'write') && (
              <NameButton id={id} name={user.data.displayName} onNamed={user.reload} />
            )}
          </>
        )
      }
    >
      {opened.value === 'report' && <ReportDialog id={id} onClose={close} onReported={followScore} />}
      {opened.value === 'ask' && <AskDialog id={id} onClose={close} onAsked={refresh} />}
      {isUnknown ? (
        <div class="empty">
          <h2>{isErased ? texts.erasedTitle : texts.unknownTitle}</h2>
          <p>{isErased ? texts.erased : texts.unknown}</p>
        </div>
      ) : score.failure && !score.data ? (
        <Failure of={score.failure} height={240} retry={score.reload} />
      ) : !score.data ? (
        <Skeleton height={112} />
      ) : (
        <section class="panel">
          <Query of={move} height={28}>
            {({ sentence }) => (
              <p class="why" dir="auto">
                {sentence}
              </p>
            )}
          </Query>
          {score.data.frozen && <p class="note">{texts.frozen}</p>}
          <dl class="tiles">
            <Tile
              name={texts.score}
              class="score-now"
              value={formatNumber(score.data.finalScore, 2)}
              note={<Band band={score.data.scoreBand} />}
            />
            <Tile name={texts.confidence} value={formatPercent(score.data.confidence)} />
            <Tile name={texts.quality} value={formatNumber(score.data.behavioralQuality, 2)} />
            <Tile name={texts.outcomes} value={score.data.totalEvents} />
            <Tile name={texts.verified} value={score.data.verifiedEvents} />
            <Tile
              name={texts.computed}
              class="tile-text"
              value={<Moment at={score.data.computedAt} distance />}
            />
          </dl>
        </section>
      )}
      {!isUnknown && (
        <>
          <Course id={id} version={version.value} largest={move} />
          <div class="columns">
            <Waterfall of={explanation} />
            <div>
              <Components id={id} version={version.value} />
              {!isReadOnly.value && may('scores', 'read') && <WhatIf id={id} version={version.value} />}
            </div>
          </div>
          <Timeline id={id} version={version.value} />
          <div class="columns">
            <Disputes id={id} version={version.value} />
            <Confirmations id={id} version={version.value} />
            <Links id={id} isLive={mode.value === 'live'} />
            <Sharing id={id} isLive={mode.value === 'live'} />
            <Proof id={id} isLive={mode.value === 'live'} />
            <Erasure id={id} onErased={refresh} />
          </div>
        </>
      )}
    </Page>
  );
}
