import { Client, type Transport } from '@modelcontextprotocol/client';

/** The revision of 2026, without sessions, and the one before it, with `initialize`. */
export const ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025', mode: 'legacy' },
] as const;

/** The official client. */
export async function connected(transport: Transport, mode: (typeof ERAS)[number]['mode']): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/** The result of a tool, which says the same as text. */
// biome-ignore lint/suspicious/noExplicitAny: the tests compare it with the answers of operations
export async function called(client: Client, name: string, given: object = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: given as Record<string, unknown> });
  const [text] = result.content as { text: string }[];
  const { structuredContent: structured } = result;
  if (!structured) return { isError: result.isError ?? false, text: text?.text };
  if (JSON.stringify(structured) !== JSON.stringify(JSON.parse(text?.text ?? '')))
    throw new Error('they differ');
  return { isError: result.isError ?? false, ...structured };
}
