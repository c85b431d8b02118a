import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { ChooseUser } from './ChooseUser.tsx';
import { failureFrom } from './kit/apiFailure.ts';
import { Button } from './kit/Button.tsx';
import { kitTexts } from './kit/kitTexts.ts';
import { Link } from './kit/Link.tsx';
import { Failure, Skeleton } from './kit/Query.tsx';
import { matchPath, path, whenNavigated } from './kit/router.ts';
import { isChoosing, loadSession, mode, session, sessionFailure } from './kit/session.ts';
import { language } from './kit/texts.ts';
import { Toasts } from './kit/toast.tsx';
import { useRetries } from './kit/useRetries.ts';
import { audience } from './openViews.ts';
import { Shell } from './Shell.tsx';
import { SignIn } from './SignIn.tsx';
import { titleOf, views } from './views/index.ts';
import type { View, ViewProps } from './views/view.ts';

export function App() {
  return (
    <>
      <Content />
      <Toasts />
    </>
  );
}

function Content() {
  const { value: current } = session;
  if (current === undefined) return <Unknown />;
  if (current === null) return <SignIn />;
  const isUndecided = current.kind === 'user' && current.platform === null;
  return isUndecided || isChoosing.value ? <ChooseUser /> : <Views key={current.person?.userId} />;
}

/** Nothing yet, or why the service does not say who is signed in. */
function Unknown() {
  if (!sessionFailure.value) return null;
  return (
    <main class="sign-in">
      <Failure of={sessionFailure.value} retry={() => void loadSession()} />
    </main>
  );
}

function Views() {
  const view = viewOf(path.value, audience());
  useEffect(() => whenNavigated(() => document.getElementById('main')?.focus()), []);
  useEffect(() => {
    const word = mode.value === null ? kitTexts.operator : kitTexts[mode.value];
    document.title = [word, view && titleOf(view.view), kitTexts.console].filter(Boolean).join(' · ');
    document.documentElement.lang = language.value;
  }, [view?.view, mode.value, language.value]);
  return <Shell>{view ? <Loaded key={`${view.view.path} ${mode.value}`} {...view} /> : <NotFound />}</Shell>;
}

/** Most people have a key, so the script of their view need not wait for the answer who is signed in. */
export function loadViewEarly(): void {
  void viewOf(path.peek(), 'key')
    ?.view.load()
    .catch(() => {}); // it is loaded again when the view opens
}

function viewOf(given: string, audience: View['for']): { view: View; params: Record<string, string> } | null {
  for (const view of views) {
    const params = view.for === audience ? matchPath(view.path, given) : null;
    if (params) return { view, params };
  }
  return null;
}

/** A view whose script is loaded when it is opened. */
function Loaded({ view, params }: { view: View; params: Record<string, string> }) {
  const loaded = useSignal<{ Component: ComponentType<ViewProps> } | null>(null);
  const failure = useSignal<unknown>(null);
  const [broken] = useErrorBoundary();
  const load = () => {
    view
      .load()
      .then((module) => {
        loaded.value = { Component: module.default };
      })
      .catch(async (error: unknown) => {
        if (await wasUpdated()) location.reload();
        else failure.value = error;
      });
  };
  useEffect(load, []);
  if (broken) {
    return (
      <>
        <Failure of={failureFrom(broken)} />
        <Button text={kitTexts.reload} onClick={() => location.reload()} />
      </>
    );
  }
  if (loaded.value) return <loaded.value.Component params={params} />;
  return failure.value ? (
    <LoadFailed view={view} of={failure.value} retry={load} />
  ) : (
    <Skeleton height={480} />
  );
}

/** Whether the service has other files now: no attempt would find those of this page. */
async function wasUpdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '';
  const page = await fetch(location.pathname).catch(() => null);
  return page?.ok === true && !(await page.text()).includes(new URL(script).pathname);
}

interface LoadFailedProps {
  view: View;
  of: unknown;
  retry: () => void;
}

function LoadFailed({ view, of, retry }: LoadFailedProps) {
  const attempts = useRetries(of, retry);
  return (
    <div class="failure" role="alert">
      <h1>{titleOf(view)}</h1>
      <p>{kitTexts.viewFailed}</p>
      {attempts && <p class="soft">{attempts}</p>}
      <div class="actions">
        <Button text={kitTexts.retry} onClick={retry} />
        <Button text={kitTexts.reload} onClick={() => location.reload()} />
      </div>
    </div>
  );
}

function NotFound() {
  return (
    <div class="empty">
      <h1>{kitTexts.notFound}</h1>
      <Link to="/">{kitTexts.toOverview}</Link>
    </div>
  );
}
