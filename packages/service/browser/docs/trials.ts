interface Launcher {
  open(options: { url: string; onResult(result: string): void }): void;
}

/** The forms of the pages about embedding. */
export function makeTrials(): void {
  onSubmit('#try-link', (value, result) => {
    const { ReliabilityVerify } = window as unknown as { ReliabilityVerify: Launcher };
    try {
      ReliabilityVerify.open({
        url: value,
        onResult: (name) => {
          result.textContent = `Result: ${name}`;
        },
      });
    } catch (error) {
      result.textContent = error instanceof Error ? error.message : String(error);
    }
  });
  onSubmit('#try-badge', (value, result) => {
    const script = document.createElement('script');
    script.src = '../trust-badge.js';
    script.dataset.token = value;
    result.replaceChildren(script);
  });
}

function onSubmit(form: string, run: (value: string, result: HTMLElement) => void): void {
  const element = document.querySelector<HTMLFormElement>(form);
  const input = element?.querySelector('input');
  const result = document.querySelector<HTMLElement>(`${form}-result`);
  if (!element || !input || !result) return;
  element.hidden = false;
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    result.replaceChildren();
    run(input.value, result);
  });
}
