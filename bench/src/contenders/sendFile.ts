import { readFileSync } from 'node:fs';

// Sends a CSV from a separate process, so that it does not disturb the process that times other requests.
// Arguments: address, key, file. Prints the answer.
const [address = '', key = '', file = ''] = process.argv.slice(2);
const answer = await fetch(address, {
  method: 'POST',
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv' },
  body: readFileSync(file),
});
if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
console.log(await answer.text());
