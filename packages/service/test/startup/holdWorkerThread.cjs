// Loaded into the threads of a service by a test. While the file HOLD exists, the worker thread does nothing else; it dies of DIE.
const { existsSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (!isMainThread) {
  setInterval(() => {
    if (!process.argv[1]?.endsWith('/main.js')) return;
    if (existsSync(process.env.DIE)) throw new Error('the thread was killed by a test');
    while (existsSync(process.env.HOLD));
  }, 5).unref();
}
