import { actKeys } from './kit/ActButton.tsx';
import { Dialog } from './kit/Dialog.tsx';
import { kitTexts as texts } from './kit/kitTexts.ts';
import { language } from './kit/texts.ts';
import { openViews } from './openViews.ts';

/** The keys of the console: `?`. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const general: [string, string][] = [
    ['?', texts.keyHelp],
    ['⌘ K, Ctrl K', texts.keyGoTo],
    ['/', texts.keySearch],
    ['j k Enter', texts.keyRows],
    ['Esc', texts.keyClose],
  ];
  const ofViews = openViews()
    .filter(({ key }) => key !== undefined)
    .map(({ key, title }): [string, string] => [`g ${key}`, texts.keyView(title[language.value])]);
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
