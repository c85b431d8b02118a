import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type ApiFailure, failureFrom } from './kit/apiFailure.ts';
import { Button } from './kit/Button.tsx';
import { kitTexts } from './kit/kitTexts.ts';
import { path, query } from './kit/router.ts';
import { hasEnded, issuer, session, signIn } from './kit/session.ts';
import { chooseLanguage, language } from './kit/texts.ts';
import { issuerFailure, linkFailure } from './signInLink.ts';
import { signInTexts as texts } from './signInTexts.ts';

/** Paste a key once. The page never stores it. */
export function SignIn() {
  const isBusy = useSignal(false);
  const failure = useSignal<ApiFailure | null>(null);
  const isCookieLost = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    document.title = `${texts.title} · ${kitTexts.console}`;
    document.documentElement.lang = language.value;
  }, [language.value]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const secret = String(new FormData(form).get('secret')).trim();
    if (secret === '') return;
    isBusy.value = true;
    failure.value = null;
    linkFailure.value = null;
    issuerFailure.value = null;
    try {
      await signIn(secret);
      isCookieLost.value = session.peek() === null;
    } catch (error) {
      failure.value = failureFrom(error);
    }
    isBusy.value = false;
  };
  const note = linkFailure.value ? texts.link : hasEnded.value ? texts.ended : null;
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>{texts.title}</h1>
        {issuerFailure.value && (
          <p class="error-text" role="alert">
            {texts.failures[issuerFailure.value]}
          </p>
        )}
        {issuer.value && (
          <>
            <a class="button primary" href={issuerLink()}>
              {texts.withIssuer}
            </a>
            <p class="soft">{texts.issuerNote(issuer.value)}</p>
            <p class="or">{texts.or}</p>
          </>
        )}
        {note && (
          <p class="note" role="status">
            {note}
          </p>
        )}
        <p>{texts.lead}</p>
        <label for="secret">{texts.label}</label>
        <input
          ref={field}
          id="secret"
          name="secret"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          maxLength={512}
          aria-describedby="sign-in-error"
        />
        <div id="sign-in-error" role="alert">
          {failure.value && <p class="error-text">{textOf(failure.value)}</p>}
          {isCookieLost.value && <p class="error-text">{texts.noCookie}</p>}
        </div>
        <button type="submit" class={issuer.value ? '' : 'primary'} disabled={isBusy.value}>
          {isBusy.value ? texts.busy : texts.button}
        </button>
        <p class="soft">{texts.note}</p>
      </form>
      <footer class="soft">
        <a href="/docs">{texts.docs}</a>
        <Button
          text={language.value === 'en' ? 'Deutsch' : 'English'}
          class="quiet"
          onClick={() => chooseLanguage(language.value === 'en' ? 'de' : 'en')}
        />
      </footer>
    </main>
  );
}

/** Leads to the issuer, and back to the view that is open. */
function issuerLink(): string {
  const search = query.value.toString();
  return `/console/sign-in?${new URLSearchParams({ to: path.value + (search && `?${search}`) })}`;
}

function textOf({ status, message, requestId }: ApiFailure): string {
  if (status === 401) return texts.refused;
  if (status === 429) return texts.tooMany;
  return requestId ? `${message} (${kitTexts.requestId} ${requestId})` : message;
}
