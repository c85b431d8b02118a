import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { overloaded } from '#kit/http/errorAnswer.js';
import { readRawBody } from '#kit/http/rawBody.js';
import { free } from '#kit/largeMemory.js';

const MIB = 1024 * 1024;
const held = () => process.memoryUsage().arrayBuffers;

test('large memory that is freed is gone at once, without a collection', async () => {
  await turn();
  const bytes = Buffer.allocUnsafeSlow(64 * MIB);
  const before = held();
  free(bytes);
  await turn();
  expect(bytes.length).toBe(0);
  expect(before - held()).toBeGreaterThan(60 * MIB);
});

test('large bodies that are refused while they arrive leave no memory behind', async () => {
  const before = held();
  for (let body = 0; body < 8; body += 1)
    await expect(refusedAfter(4 * MIB)).rejects.toThrow('There is no room.');
  await turn();
  expect(held() - before).toBeLessThan(16 * MIB);
});

async function refusedAfter(limit: number): Promise<unknown> {
  const piece = Buffer.alloc(64 * 1024, 'a');
  const payload = Readable.from(Array.from({ length: 128 }, () => piece));
  const bodyShare = {
    growTo(bytes: number) {
      if (bytes > limit) throw overloaded('There is no room.');
    },
  };
  const request = { is404: false, routeOptions: { bodyLimit: 32 * MIB }, headers: {}, bodyShare };
  return readRawBody(request as unknown as FastifyRequest, payload as never);
}
