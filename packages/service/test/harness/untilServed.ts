/**
 * Sends a request again while the service refuses it with 503, as its clients do: on a busy machine
 * some of fifty requests at the same instant find no connection in time.
 */
export async function untilServed<Answer extends { status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}
