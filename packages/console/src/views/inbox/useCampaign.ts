import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type AnswerOf, get, requestOf, send } from '../../kit/api.ts';
import { ApiFailure } from '../../kit/apiFailure.ts';
import { randomKey, useAction } from '../../kit/useAction.ts';
import { type CampaignRow, ROWS_PER_REQUEST } from './campaignRows.ts';

type Result = AnswerOf<'POST /activation/campaigns'>['results'][number];

/** What became of a row. */
export interface RowResult {
  readonly row: CampaignRow;
  readonly result: Result;
}

export interface Campaign {
  start(name: string, rows: readonly CampaignRow[]): Promise<void>;
  readonly isBusy: boolean;
  /** Every row has a result. */
  readonly isDone: boolean;
  readonly failure: ApiFailure | null;
  readonly results: readonly RowResult[];
  /** Until when the counterparties may answer; null: nobody was asked. */
  readonly expiresAt: string | null;
}

/**
 * Sends the rows of a campaign in parts. After a failure it goes on with the part that failed, under
 * the same idempotency key: the links of a part are shown once.
 */
export function useCampaign(onStarted: () => void): Campaign {
  const results = useSignal<readonly RowResult[]>([]);
  const expiresAt = useSignal<string | null>(null);
  const isDone = useSignal(false);
  const key = useRef({ of: '', idempotencyKey: '' });
  const action = useAction(async (name: string, rows: readonly CampaignRow[]) => {
    for (let from = results.peek().length; from < rows.length; from = results.peek().length) {
      const part = rows.slice(from, from + ROWS_PER_REQUEST);
      const body = { name, rows: part.map((row) => row.body) };
      const text = JSON.stringify(body);
      if (key.current.of !== text) key.current = { of: text, idempotencyKey: randomKey() };
      const call = requestOf('POST /activation/campaigns', { body });
      const answer = await send(call, key.current).catch(refusedRows);
      const sent = answer.results.flatMap((result) => {
        const row = part[result.index];
        return row ? [{ row, result }] : [];
      });
      results.value = [...results.peek(), ...sent];
      if (expiresAt.peek() === null && answer.campaign) expiresAt.value = await endOf(answer.campaign.id);
      onStarted();
    }
    isDone.value = true;
  });
  return {
    isBusy: action.isBusy,
    isDone: isDone.value,
    failure: action.failure,
    results: results.value,
    expiresAt: expiresAt.value,
    async start(name, rows) {
      await action.run(name, rows);
    },
  };
}

/** A part without a valid row is refused as a whole, with the error of each row. */
function refusedRows(error: unknown): { campaign?: { id: string }; results: Result[] } {
  if (error instanceof ApiFailure && error.code === 'ACTIVATION_NO_VALID_ROWS') {
    return error.details as { results: Result[] };
  }
  throw error;
}

async function endOf(campaignId: string): Promise<string | null> {
  const { confirmations } = await get('GET /confirmations', { query: { campaignId, limit: 1 } });
  return confirmations[0]?.expiresAt ?? null;
}
