/** What the tests use of a library that comes without types. */
declare module '@digitalbazaar/bitstring' {
  export class Bitstring {
    constructor(options: { buffer: Uint8Array });
    /** Base64url of the compressed bits, without the multibase prefix. */
    static decodeBits(options: { encoded: string }): Promise<Uint8Array>;
    /** Bit 0 is the highest of the first byte. */
    get(position: number): boolean;
  }
}
