import { effect, signal } from '@preact/signals';
import { readSetting, writeSetting } from './settings.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const stored = readSetting('theme');
export const theme = signal<Theme>(themes.find((known) => known === stored) ?? 'system');

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
/** For what CSS does not colour: canvases. */
export const isDark = signal(false);

effect(() => {
  const { documentElement } = document;
  if (theme.value === 'system') delete documentElement.dataset.theme;
  else documentElement.dataset.theme = theme.value;
  writeSetting('theme', theme.value);
  update();
});
prefersDark.addEventListener('change', update);

function update(): void {
  isDark.value = theme.peek() === 'dark' || (theme.peek() === 'system' && prefersDark.matches);
}
