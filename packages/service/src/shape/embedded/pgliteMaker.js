// @ts-check
// Creates the files of an embedded database, in a separate process: it takes 700 MB, and a thread
// of the service would keep a third of that. Started by pgliteHost with the folder; ends with its
// parent.
import process from 'node:process';
import { PGlite } from '@electric-sql/pglite';

process.on('disconnect', () => process.exit(1));

const engine = new PGlite({ dataDir: process.argv[2] });
await engine.waitReady;
await engine.close();
process.exit(0);
