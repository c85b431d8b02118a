const SHOWN_MS = 2000;

/** A button in each code block that copies its text. */
export function addCopyButtons(): void {
  // Only a secure context has a clipboard.
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll<HTMLElement>('figure')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(textOf(figure)).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, SHOWN_MS);
      });
    });
    figure.querySelector('figcaption')?.append(button);
  }
}

/** Of a terminal only the commands, without their prompt. */
function textOf(figure: HTMLElement): string {
  const text = figure.querySelector('pre')?.textContent ?? '';
  if (figure.dataset.language !== 'console') return text;
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  return commands.length === 0 ? text : commands.map((line) => line.slice(2)).join('\n');
}
