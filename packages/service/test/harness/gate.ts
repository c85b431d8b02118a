/** A gate: callers wait until it opens. */
export function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const made = {
    waiting: 0,
    open: () => open(),
    wait() {
      made.waiting += 1;
      return opened;
    },
  };
  return made;
}
