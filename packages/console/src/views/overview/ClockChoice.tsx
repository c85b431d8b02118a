import { Chips } from '../../kit/parts.tsx';
import { setQuery } from '../../kit/router.ts';
import { type ChosenClock, CLOCKS } from './clock.ts';
import { texts } from './texts.ts';

interface ClockChoiceProps {
  of: ChosenClock;
  /** The answer is by recording although the other one was asked for. */
  isTooLarge: boolean;
}

/** Says which clock the changes below are read by, and changes it. */
export function ClockChoice({ of: { by = 'recorded', isImported }, isTooLarge }: ClockChoiceProps) {
  return (
    <div class="filters">
      <Chips
        label={texts.clock}
        options={CLOCKS}
        textOf={(clock) => texts.clocks[clock]}
        chosen={isTooLarge ? 'recorded' : by}
        onChoose={(clock) => setQuery({ by: clock }, { replace: true })}
      />
      <p class="soft clock-note" role="status">
        {isTooLarge ? texts.clockTooLarge : texts.clockNotes[by]}
        {isImported && by === 'outcome' && !isTooLarge && ` ${texts.imported}`}
      </p>
    </div>
  );
}
