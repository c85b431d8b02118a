import type { ComponentType } from 'preact';
import type { Language } from '../kit/texts.ts';

export interface ViewProps {
  /** The values of `{name}` in the path. */
  params: Record<string, string>;
}

/** A view of the console: one line of `index.ts`. */
export interface View {
  /** Below /console: `/book`, `/subject/{id}`. */
  readonly path: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Letter after `g`. Left out with `isHidden`. */
  readonly key?: string;
  /** `key`: data of a platform, also for an operator who views one. `operator`: the installation. */
  readonly for: 'key' | 'operator';
  /** Not in the navigation: it needs a value in its path. */
  readonly isHidden?: true;
  readonly load: () => Promise<{ default: ComponentType<ViewProps> }>;
}
