/** Whether the work ends in time. Its error is thrown; a late one is ignored, and late work goes on. */
export async function endsInTime(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}

export async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  if (await endsInTime(work, limitMs)) return work;
  throw new Error(`no answer within ${limitMs} ms`);
}
