import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestOf, send } from '../../kit/api.ts';
import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Check, Select } from '../../kit/form.tsx';
import { formatChange, formatNumber } from '../../kit/format.ts';
import { Band, Details, Panel } from '../../kit/parts.tsx';
import { Query, useGet, useQuery } from '../../kit/Query.tsx';
import { Suggestions } from './Suggestions.tsx';
import { texts } from './texts.ts';

/** Of a component: red below the first, green from the second on. */
const LEVELS = { low: 50, high: 80, optimum: 100 };

/** The components of the score, each from 0 to 100. */
export function Components({ id, version }: { id: string; version: number }) {
  const read = useGet('GET /users/{id}/score/components', { params: { id } }, { version });
  return (
    <Panel title={texts.components}>
      <Query of={read} height={200}>
        {({ components }) => (
          <div class="components">
            <Details
              of={valuesOf('component').map((name) => {
                const value = components[name];
                const words = wordsFor('component', name);
                if (value === null) return [words, <span class="soft">{texts.unknownComponent}</span>];
                return [
                  words,
                  <>
                    <meter min={0} max={100} {...LEVELS} value={value} aria-label={words} />{' '}
                    <span>{formatNumber(value, 1)}</span>
                  </>,
                ];
              })}
            />
          </div>
        )}
      </Query>
    </Panel>
  );
}

const MAX_OUTCOMES = 40;
const PAUSE_MS = 120;
const TYPES = [
  'CONTRACT_FULFILLED',
  'TRANSACTION_COMPLETED',
  'CONTRACT_BREACHED',
  'TRANSACTION_DISPUTED',
  'DISPUTE_RESOLVED_AGAINST_USER',
];

/** Drag a number of future outcomes and see the score that they would lead to. */
export function WhatIf({ id, version }: { id: string; version: number }) {
  const dragged = useSignal(5);
  const count = useSignal(5);
  const type = useSignal('CONTRACT_FULFILLED');
  const isVerified = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (count.value = dragged.value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [dragged.value]);
  const projection = useQuery(
    (signal) => {
      const event = { eventType: type.value, isVerified: isVerified.value };
      const body = { events: Array.from({ length: count.value }, () => event) };
      return send(requestOf('POST /users/{id}/score/project', { params: { id }, body }), { signal });
    },
    [id, count.value, type.value, isVerified.value],
  );
  return (
    <Panel title={texts.whatIf}>
      <div class="form">
        <label>
          {texts.whatIfCount(formatNumber(dragged.value))}
          <input
            type="range"
            min={1}
            max={MAX_OUTCOMES}
            value={dragged.value}
            onInput={({ currentTarget }) => (dragged.value = Number(currentTarget.value))}
          />
        </label>
        <Select
          label={texts.whatIfType}
          of={TYPES}
          textOf={(each) => wordsFor('eventType', each)}
          chosen={type.value}
          onChoose={(chosen) => (type.value = chosen)}
        />
        <Check
          label={texts.confirmed}
          checked={isVerified.value}
          onChange={({ currentTarget }) => (isVerified.value = currentTarget.checked)}
        />
      </div>
      <Query of={projection} height={64}>
        {({ current, projected, delta }) => (
          <p class="projected" aria-live="polite">
            {texts.projected}: {formatNumber(current.score, 2)} →{' '}
            <strong>{formatNumber(projected.score, 2)}</strong> ({formatChange(delta.score)}){' '}
            <Band band={projected.band} />
          </p>
        )}
      </Query>
      <p class="soft">{texts.whatIfNote}</p>
      <Suggestions id={id} version={version} />
    </Panel>
  );
}
