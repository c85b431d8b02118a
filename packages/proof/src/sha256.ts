/**
 * SHA-256 (FIPS 180-4), synchronous, in Node and in browsers: WebCrypto's is asynchronous and would make every function of a
 * tree so. For the 33 and 65 bytes that a tree hashes it is faster than node:crypto, whose calls cost more than the hash.
 */
export function sha256(data: Uint8Array): Uint8Array {
  state.set(INITIAL);
  const whole = data.length - (data.length % BLOCK);
  for (let offset = 0; offset < whole; offset += BLOCK) compress(data, offset);
  const tailBytes = writeTail(data, whole);
  for (let offset = 0; offset < tailBytes; offset += BLOCK) compress(tail, offset);
  const hash = new Uint8Array(HASH_BYTES);
  for (let i = 0; i < HASH_BYTES; i += 1) hash[i] = (state[i >>> 2] as number) >>> (24 - 8 * (i & 3));
  return hash;
}

export const HASH_BYTES = 32;
const BLOCK = 64;

// Shared by all calls: none of them waits or calls another.
const state = new Int32Array(8);
const schedule = new Int32Array(64);
const tail = new Uint8Array(2 * BLOCK);
const tailView = new DataView(tail.buffer);

/** The bytes after the last whole block, a one bit, zeros, and the length in bits: one block or two. Returns their number. */
function writeTail(data: Uint8Array, start: number): number {
  const rest = data.length - start;
  const length = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
  for (let i = 0; i < rest; i += 1) tail[i] = data[start + i] as number;
  tail[rest] = 0x80;
  tail.fill(0, rest + 1);
  tailView.setUint32(length - 8, Math.floor(data.length / 2 ** 29));
  tailView.setUint32(length - 4, data.length << 3);
  return length;
}

function compress(data: Uint8Array, offset: number): void {
  for (let t = 0; t < 16; t += 1) {
    const i = offset + 4 * t;
    const word = ((data[i] as number) << 24) | ((data[i + 1] as number) << 16);
    schedule[t] = word | ((data[i + 2] as number) << 8) | (data[i + 3] as number);
  }
  for (let t = 16; t < 64; t += 1) {
    const w2 = schedule[t - 2] as number;
    const w15 = schedule[t - 15] as number;
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    schedule[t] = (s1 + (schedule[t - 7] as number) + s0 + (schedule[t - 16] as number)) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let t = 0; t < 64; t += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[t] as number) + (schedule[t] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

// The fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64.
const INITIAL = words('6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19');
const ROUND = Int32Array.from(
  words(
    '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3' +
      '72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
      '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13' +
      '650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
      '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208' +
      '90befffaa4506cebbef9a3f7c67178f2',
  ),
);

function words(hex: string): Uint32Array {
  return Uint32Array.from({ length: hex.length / 8 }, (_, i) =>
    Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16),
  );
}
