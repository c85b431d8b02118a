// @ts-check
// Makes the content of an embedded database's folder, in a process of its own: it takes 700 MB, of which a thread of the
// service would leave a third behind. Called by pgliteHost with the folder; the parent's end is its end.
import process from 'node:process';
import { PGlite } from '@electric-sql/pglite';

process.on('disconnect', () => process.exit(1));

const engine = new PGlite({ dataDir: process.argv[2] });
await engine.waitReady;
await engine.close();
process.exit(0);
