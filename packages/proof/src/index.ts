export { concat, equalBytes, fromBase64, toBase64, toHex, utf8 } from './bytes.js';
export { type Checkpoint, formatCheckpoint, parseCheckpoint } from './checkpoint.js';
export { canonicalJson, type JsonValue } from './jcs.js';
export * from './merkle.js';
export * from './note.js';
export * from './noteVerification.js';
export { HASH_BYTES, sha256 } from './sha256.js';
export * from './tiles.js';
