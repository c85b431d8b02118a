import { run } from './run.js';

// A closed pipe (`reliability explain x | head`) ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});

const { env, stdout, stderr } = process;
const exitCode = await run(process.argv.slice(2), { env, stdout, stderr });
if (exitCode !== null) process.exitCode = exitCode;
