import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { called, connected, ERAS } from '../../service/test/features/system/mcpFixtures.js';
import { givenService } from '../../service/test/harness/givenService.js';
import { runCli } from './runCli.js';

const PROGRAM = fileURLToPath(new URL('../dist/reliability.js', import.meta.url));

describe('reliability mcp', () => {
  const service = givenService('pglite');

  test.each(ERAS)('serves the eight tools over stdin and stdout: $era', async ({ mode }) => {
    const env = { RELIABILITY_URL: service.url, RELIABILITY_KEY: service.testKey, HOME: '/nonexistent' };
    const transport = new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env });
    const client = await connected(transport, mode);
    expect((await client.listTools()).tools).toHaveLength(8);
    const outcome = { userId: 'ana', eventType: 'CONTRACT_FULFILLED', isVerified: true };
    expect((await called(client, 'report_outcome', outcome)).event.userId).toBe('ana');
    await service.settle();
    const { evidence, ...score } = await called(client, 'read_score', { userId: 'ana' });
    const { body } = await service.request('GET', '/users/ana/score', { key: service.testKey });
    expect(score).toEqual({ isError: false, ...body });
    expect(evidence).toMatchObject({ formulaVersion: body.formulaVersion, leafIndex: null });
    const nobody = await called(client, 'read_score', { userId: 'nobody' });
    expect(nobody).toMatchObject({ isError: true, code: 'USER_NOT_FOUND' });
    await client.close();
  });

  test('ends with the agent, and says on stderr what is missing', async () => {
    const env = { RELIABILITY_URL: service.url, RELIABILITY_KEY: service.testKey };
    expect(await runCli(['mcp'], { env })).toEqual({ code: 0, output: '', errors: '' });
    const keyless = await runCli(['mcp'], { env: { RELIABILITY_URL: service.url } });
    expect(keyless).toMatchObject({ code: 2, output: '' });
    expect(keyless.errors).toContain('The API key is missing.');
  });
});
