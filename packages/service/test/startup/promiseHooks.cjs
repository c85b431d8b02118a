// Loaded into the threads of a service by a test. At its end a thread says whether its promises have had a hook, which marks them.
const { threadId } = require('node:worker_threads');

process.on('exit', () => {
  const marks = Object.getOwnPropertySymbols(new Promise(() => {})).length;
  process.stderr.write(`marks on a promise of thread ${threadId}: ${marks}\n`);
});
