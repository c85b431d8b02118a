import { textOf } from '../text/eventText.js';

/**
 * The name of who confirmed an outcome, as the platform gave it. An answered confirmation attests by
 * `counterpartyRef`, which is the platform's own: only the name beside it is shown.
 */
export const CONFIRMED_BY =
  'case when asked.event_id is null then t.attester else asked.counterparty_name end';

/**
 * SQL that joins what `CONFIRMED_BY` reads, and the texts of the events.
 * @param event alias of the events of one subject.
 * @param subject its id.
 */
export function confirmedByOf(event: string, subject: string): string {
  return `left join (
      select event_id, counterparty_name from confirmation where subject_id = ${subject} and event_id is not null
    ) as asked on asked.event_id = ${event}.event_id
    ${textOf(event)}`;
}
