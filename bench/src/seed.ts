import { parseArgs } from 'node:util';
import { seedBook } from './kit/seed/seedBook.js';

// npx tsx --conditions=source bench/src/seed.ts --database-url postgres://… [--subjects 1000000] [--events 5000000] [--neighbours 3] [--times 1]
const { values } = parseArgs({
  options: {
    'database-url': { type: 'string' },
    subjects: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '5000000' },
    neighbours: { type: 'string', default: '3' },
    times: { type: 'string', default: '1' },
  },
});

try {
  const databaseUrl = values['database-url'];
  if (databaseUrl === undefined)
    throw new Error('Missing --database-url: a database on which the service has been started once');
  const sizes = {
    subjects: atLeast(1, 'subjects', values.subjects),
    events: atLeast(1, 'events', values.events),
    neighbours: atLeast(0, 'neighbours', values.neighbours),
    times: atLeast(1, 'times', values.times),
  };
  const { subjects, events, seconds } = await seedBook(databaseUrl, sizes, (line) => console.log(line));
  console.log(`Seeded ${subjects} subjects and ${events} events in ${seconds.toFixed(0)} s.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function atLeast(minimum: number, name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < minimum)
    throw new Error(`--${name} must be a whole number, at least ${minimum}`);
  return number;
}
