/** Node has it; its types leave it to those of a browser. */
declare namespace WebAssembly {
  function compile(bytes: Uint8Array): Promise<object>;
}
