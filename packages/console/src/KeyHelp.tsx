import { actKeys } from './kit/Button.tsx';
import { Dialog } from './kit/Dialog.tsx';
import { kitTexts as texts } from './kit/kitTexts.ts';
import { openViews } from './openViews.ts';
import { titleOf } from './views/index.ts';

/** The keys of the console: `?`. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const general: [string, string][] = [
    ['?', texts.keyHelp],
    [`⌘ K, ${texts.ctrl} K`, texts.keyGoTo],
    ['/', texts.keySearch],
    [`j k ${texts.enter}`, texts.keyRows],
    ['Esc', texts.keyClose],
  ];
  const ofViews = openViews().map((view) => [`g ${view.key}`, texts.keyView(titleOf(view))] as const);
  return (
    <Dialog title={texts.keys} onClose={onClose}>
      <dl class="pairs">
        {[...general, ...actKeys.value, ...ofViews].map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
