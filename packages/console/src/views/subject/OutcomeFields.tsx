import { valuesOf, wordsFor } from '../../kit/enumTexts.ts';
import { Field, type Given, Select } from '../../kit/form.tsx';
import { texts } from './texts.ts';

const TYPES = valuesOf('eventType').slice(0, 6);

/** What an outcome is: for reports and for questions about one. */
export function OutcomeFields() {
  return (
    <>
      <Select
        name="eventType"
        label={texts.eventType}
        of={TYPES}
        textOf={(type) => wordsFor('eventType', type)}
        chosen={TYPES[0]}
      />
      <div class="columns">
        <Select
          name="stakeLevel"
          label={texts.stake}
          of={valuesOf('stakeLevel')}
          textOf={(stake) => wordsFor('stakeLevel', stake)}
          chosen="MEDIUM"
        />
        <Field name="completedAt" label={texts.completedAt} type="date" />
        <Field name="dueDate" label={texts.dueDate} type="date" />
      </div>
    </>
  );
}

/** The fields as the API takes them. */
export function outcomeIn(given: Given) {
  return {
    eventType: given.text('eventType'),
    stakeLevel: given.text('stakeLevel'),
    completedAt: given.day('completedAt'),
    dueDate: given.day('dueDate'),
  };
}
