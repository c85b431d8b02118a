/*
 * The page of a credential offer: counts down, and loads itself again when the offer has ended or a wallet has taken it.
 */

const ASK_MS = 5000;

const offer = document.querySelector<HTMLElement>('#offer');
if (offer) watch(offer);

function watch({ dataset: { offer = '', seconds = '0' } }: HTMLElement): void {
  // By the service's clock: with a clock that is ahead the page would load itself again and again.
  const ends = performance.now() + Number(seconds) * 1000;
  const left = document.querySelector<HTMLElement>('.left');
  const clock = left?.querySelector('strong');
  if (left) left.hidden = false;

  function tick(): void {
    const left = Math.ceil((ends - performance.now()) / 1000);
    if (left <= 0) end();
    else if (clock) clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  }

  async function ask(): Promise<void> {
    if (document.hidden) return;
    const answer = await fetch(offer, { cache: 'no-store' }).catch(() => null);
    if (answer?.status === 404) end();
  }

  function end(): void {
    clearInterval(ticking);
    clearInterval(asking);
    location.reload();
  }

  const ticking = setInterval(tick, 1000);
  const asking = setInterval(ask, ASK_MS);
  document.addEventListener('visibilitychange', ask);
  tick();
}
