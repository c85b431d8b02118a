import { z } from 'zod';
import { anyKey, type RouteTable, route } from '#kit/http/route.js';

/** A message of JSON-RPC 2.0. */
const McpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string().max(255), z.number()]).optional(),
    method: z.string().max(255).optional(),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage' });

const McpAnswer = z.looseObject({ jsonrpc: z.literal('2.0') }).meta({ id: 'McpAnswer' });

/** The tools for agents. Their operations count against the quota, the message itself does not. */
export function mcpRoutes(version: string): RouteTable {
  const full = route({
    operationId: 'serveMcp',
    access: anyKey,
    tag: 'System',
    quotaFree: true,
    body: McpMessage,
    answers: { 200: McpAnswer, 202: null },
    // The library is loaded when somebody uses it.
    handle: async (context) => (await import('./serveMcp.js')).serveMcp(context, version),
  });
  return { 'POST /mcp': full, 'POST !/mcp': { ...full, operationId: 'serveMcpAtRoot' } };
}
