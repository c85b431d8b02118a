import type { ComponentType } from 'preact';

export interface ViewProps {
  /** The values of `{name}` in the path. */
  params: Record<string, string>;
}

/** A view of the console: one line of `index.ts`. */
export interface View {
  /** Below /console: `/book`, `/subject/{id}`. */
  readonly path: string;
  /** Of its title. */
  readonly name: string;
  /** Letter after `g`. Without one it is not in the navigation: it needs a value in its path. */
  readonly key?: string;
  /** `key`: data of a platform, also for an operator who views one. `operator`: the installation. */
  readonly for: 'key' | 'operator';
  readonly load: () => Promise<{ default: ComponentType<ViewProps> }>;
}
