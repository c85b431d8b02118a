import { pause } from './scratch.js';
import { LIVE_KEY } from './server.js';

const headers = { Authorization: `Bearer ${LIVE_KEY}` };

export function saveMapping(url: string, name: string, mapping: object): Promise<{ id: string }> {
  return call(`${url}/api/v1/ingest/mappings`, 'application/json', JSON.stringify({ name, mapping }));
}

/** @param address with the mapping. */
export function sendCsv(address: string, csv: string): Promise<{ id: string }> {
  return call(address, 'text/csv', csv);
}

/** Waits until the import has recorded all rows. Throws if it left one out. */
export async function importCompleted(url: string, id: string, rows: number, pollMs = 20): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/imports/${id}`, { headers });
    const job = (await answer.json()) as { status: string; createdCount: number };
    if (job.status === 'FAILED') throw new Error('an import failed');
    if (job.status === 'COMPLETED') {
      if (job.createdCount !== rows) throw new Error(`${job.createdCount} of ${rows} rows were recorded`);
      return;
    }
    await pause(pollMs);
  }
}

async function call(url: string, type: string, body: string): Promise<{ id: string }> {
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'Content-Type': type }, body });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}
