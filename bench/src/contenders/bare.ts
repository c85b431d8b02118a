import Fastify from 'fastify';
import type { z } from 'zod';
import { EventInput } from '../../../packages/service/src/domain/readOutcomeEvent.js';

// The upper limit of this framework: the same bodies through the same schema, without key or database.
// Arguments: port, a page of the book as JSON (optional).
const [port, page = '{}'] = process.argv.slice(2);

const app = Fastify();
app.setValidatorCompiler<z.ZodType>(({ schema }) => (body) => {
  const result = schema.safeParse(body);
  return result.success ? { value: result.data } : { error: result.error };
});
app.get('/health/ready', () => ({ status: 'ready' }));
app.post('/api/v1/events', { schema: { body: EventInput } }, (request, reply) => {
  reply.code(201).send(request.body);
});
app.get('/api/v1/users/:id/score', (_request, reply) => {
  reply.send(SCORE);
});
const book: unknown = JSON.parse(page);
app.get('/api/v1/users', (_request, reply) => {
  reply.send(book);
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));

// The most that a server without a database can answer.
const SCORE = {
  userId: 'worker-100000',
  finalScore: 78.42,
  scoreBand: 'Good',
  confidence: 0.7412,
  confidenceLabel: 'high',
  behavioralQuality: 90.67,
  totalEvents: 23,
  verifiedEvents: 19,
  frozen: false,
  formulaVersion: '5.3',
  computedAt: '2026-03-01T15:45:02.161Z',
};
