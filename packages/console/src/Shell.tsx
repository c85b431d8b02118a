import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { KeyHelp } from './KeyHelp.tsx';
import { Button } from './kit/Button.tsx';
import { onKey } from './kit/keys.ts';
import { kitTexts as texts } from './kit/kitTexts.ts';
import { Link } from './kit/Link.tsx';
import { navigate, path } from './kit/router.ts';
import { isChoosing, mode, session, signOut, switchMode, view, viewing } from './kit/session.ts';
import { chooseLanguage, language, languages } from './kit/texts.ts';
import { type Theme, theme, themes } from './kit/theme.ts';
import { openViews } from './openViews.ts';
import { Palette } from './Palette.tsx';
import { titleOf } from './views/index.ts';

/** The frame of every view: whose data and which mode, the navigation, keys. */
export function Shell({ children }: { children: ComponentChildren }) {
  const opened = useSignal<'palette' | 'keys' | 'menu' | null>(null);
  const shown = openViews();
  useLayoutEffect(() => {
    const removals = [
      onKey('mod k', () => (opened.value = 'palette')),
      onKey('?', () => (opened.value = 'keys')),
      ...shown.flatMap((each) => (each.key ? [onKey(`g ${each.key}`, () => navigate(each.path))] : [])),
    ];
    return () => {
      for (const remove of removals) remove();
    };
  }, [shown.map((each) => each.path).join()]);
  const close = () => (opened.value = null);
  return (
    <div class="shell" data-mode={mode.value ?? 'operator'}>
      <Button text={texts.skip} class="skip" onClick={() => document.getElementById('main')?.focus()} />
      <Band />
      <nav class={`nav ${opened.value === 'menu' ? 'is-open' : ''}`} aria-label={texts.navigation}>
        <div class="nav-bar">
          <Button
            text={texts.menu}
            class="menu-button"
            aria-expanded={opened.value === 'menu'}
            aria-controls="nav-list"
            onClick={() => (opened.value = opened.value === 'menu' ? null : 'menu')}
          />
          <button type="button" class="go-to" onClick={() => (opened.value = 'palette')}>
            <span>{texts.search}</span> <kbd>{texts.ctrl} K</kbd>
          </button>
        </div>
        <div id="nav-list" class="nav-list">
          <ul>
            {shown.map((each) => (
              <li key={each.path} onClickCapture={close}>
                <Link to={each.path} aria-current={isCurrent(each.path) ? 'page' : undefined}>
                  {titleOf(each)}
                </Link>
              </li>
            ))}
          </ul>
          <Settings openKeys={() => (opened.value = 'keys')} />
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {opened.value === 'palette' && <Palette onClose={close} />}
      {opened.value === 'keys' && <KeyHelp onClose={close} />}
    </div>
  );
}

/** Live or test, in colour and word, and whose data it is. */
function Band() {
  const viewed = viewing.value;
  const name = viewed?.name ?? session.value?.platform?.name;
  const element = useRef<HTMLElement>(null);
  // The navigation stays below it, however many lines it has.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--band-height', `${element.current?.getBoundingClientRect().height ?? 0}px`),
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return (
    <header class="mode-band" ref={element}>
      <strong class="mode-word">{mode.value === null ? texts.operator : texts[mode.value]}</strong>
      {name !== undefined && <span dir="auto">{name}</span>}
      {mode.value !== null && (
        <span class="mode-note">
          {viewed ? texts.readOnly : mode.value === 'live' ? texts.liveNote : texts.testNote}
        </span>
      )}
      {session.value?.kind === 'user' && (
        <Button text={mode.value === 'live' ? texts.toTest : texts.toLive} onClick={switchMode} />
      )}
      {viewed && (
        <Button
          text={texts.leaveView}
          onClick={() => {
            view(null);
            navigate('/');
          }}
        />
      )}
    </header>
  );
}

function Settings({ openKeys }: { openKeys: () => void }) {
  const person = session.value?.person;
  return (
    <div class="settings">
      {person && (
        <p class="person">
          <span class="soft">{texts.signedInAs}</span> <bdi>{person.email}</bdi>
          {person.role && <span class="soft"> ({texts.roles[person.role]})</span>}
        </p>
      )}
      {(session.value?.choices.length ?? 0) > 1 && (
        <Button text={texts.switchUser} onClick={() => (isChoosing.value = true)} />
      )}
      <label>
        {texts.language}
        <select
          value={language.value}
          onChange={({ currentTarget: { value } }) =>
            chooseLanguage(languages.find((each) => each === value) ?? 'en')
          }
        >
          <option value="en">English</option>
          <option value="de">Deutsch</option>
        </select>
      </label>
      <label>
        {texts.theme}
        <select
          value={theme.value}
          onChange={({ currentTarget }) => (theme.value = currentTarget.value as Theme)}
        >
          {themes.map((each) => (
            <option key={each} value={each}>
              {texts[each]}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        <button type="button" class="quiet" onClick={openKeys}>
          {texts.keys} <kbd>?</kbd>
        </button>
        <Button text={texts.signOut} class="quiet" onClick={() => void signOut()} />
      </div>
    </div>
  );
}

function isCurrent(viewPath: string): boolean {
  if (viewPath === '/') return path.value === '/';
  return path.value === viewPath || path.value.startsWith(`${viewPath}/`);
}
