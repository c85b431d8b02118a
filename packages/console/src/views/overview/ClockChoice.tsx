import { Chips } from '../../kit/parts.tsx';
import { setQuery } from '../../kit/router.ts';
import { type ChosenClock, CLOCKS, type Clock } from './clock.ts';
import { texts } from './texts.ts';

/** Says which clock the changes below are read by, and changes it. @param read the one of the answer. */
export function ClockChoice({ of: { by, isImported }, read }: { of: ChosenClock; read: Clock }) {
  return (
    <div class="filters">
      <Chips
        label={texts.clock}
        options={CLOCKS}
        textOf={(clock) => texts.clocks[clock]}
        chosen={read}
        onChoose={(clock) => setQuery({ by: clock }, { replace: true })}
      />
      <p class="soft" role="status">
        {by === read ? texts.clockNotes[read] : texts.clockTooLarge}
        {isImported && read === 'outcome' && ` ${texts.imported}`}
      </p>
    </div>
  );
}
