import { t } from '../../kit/texts.ts';
import { texts as catalogue } from './texts.ts';

const TYPES = [
  'CONTRACT_FULFILLED',
  'TRANSACTION_COMPLETED',
  'REVIEW_VERIFIED',
  'CONTRACT_CANCELLED',
  'TRANSACTION_CANCELLED',
  'CONTRACT_BREACHED',
];
const STAKES = ['LOW', 'MEDIUM', 'HIGH'];

/** What an outcome is: for reports and for questions about one. */
export function OutcomeFields() {
  const texts = t(catalogue);
  return (
    <>
      <label>
        {texts.eventType}
        <select name="eventType">
          {TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
      <div class="columns">
        <label>
          {texts.stake}
          <select name="stakeLevel" defaultValue="MEDIUM">
            {STAKES.map((stake) => (
              <option key={stake} selected={stake === 'MEDIUM'}>
                {stake}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.completedAt}
          <input type="date" name="completedAt" />
        </label>
        <label>
          {texts.dueDate}
          <input type="date" name="dueDate" />
        </label>
      </div>
    </>
  );
}

export function fieldIn(data: FormData, name: string): string | undefined {
  return String(data.get(name) ?? '').trim() || undefined;
}

/** Days of the service begin at midnight UTC. */
export function dateIn(data: FormData, name: string): string | undefined {
  const day = fieldIn(data, name);
  return day && `${day}T00:00:00.000Z`;
}
