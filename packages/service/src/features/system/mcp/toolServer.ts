import { McpServer } from '@modelcontextprotocol/server';
import { type Client, ReliabilityError } from '@reliability/client';
import { NoteError } from '@reliability/proof';
import { tools } from './tools.js';

/** A server of the Model Context Protocol with the tools of this service, called with the key of the client. */
export function createToolServer(client: Client, version: string): McpServer {
  const server = new McpServer(
    { name: 'reliability', version },
    {
      capabilities: { tools: {} },
      instructions:
        'Scores say how reliable a subject has been. They are evidence, never a decision: do not reject or rank a person by a score alone.',
    },
  );
  for (const [name, { title, description, input, isRead, run }] of Object.entries(tools)) {
    const annotations = { title, readOnlyHint: isRead, destructiveHint: false, openWorldHint: !isRead };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      try {
        return answerOf(await run(client, given));
      } catch (error) {
        return { ...answerOf(refusalOf(error)), isError: true };
      }
    });
  }
  return server;
}

function answerOf(value: object) {
  const content = [{ type: 'text' as const, text: JSON.stringify(value) }];
  return { content, structuredContent: value as Record<string, unknown> };
}

/** Rethrows what is no refusal. */
function refusalOf(error: unknown): object {
  if (error instanceof ReliabilityError) {
    const { code, message, status, retryable, retryAfter, details, requestId } = error;
    return { error: message, code, status, retryable, retryAfter, details, requestId };
  }
  if (error instanceof TypeError || error instanceof NoteError) return { error: error.message };
  throw error;
}
