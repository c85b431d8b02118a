import { useEffect } from 'preact/hooks';
import { Button } from './kit/Button.tsx';
import { kitTexts } from './kit/kitTexts.ts';
import { Failure } from './kit/Query.tsx';
import { navigate, path } from './kit/router.ts';
import { choose, isChoosing, session, signOut } from './kit/session.ts';
import { language } from './kit/texts.ts';
import { useAction } from './kit/useAction.ts';
import { signInTexts as texts } from './signInTexts.ts';

/** A person whom several platforms have let in, or the operator too, says where to work. */
export function ChooseUser() {
  const { person, choices = [] } = session.value ?? {};
  const act = useAction(async (userId: string) => {
    const isOperators = choices.find((each) => each.userId === userId)?.platform === null;
    // What was open belongs to the other platform, and the operator has other views.
    if ((isChoosing.peek() || isOperators) && path.peek() !== '/') navigate('/');
    await choose(userId);
  });
  useEffect(() => {
    document.title = `${texts.choose} · Console`;
    document.documentElement.lang = language.value;
  }, [language.value]);
  return (
    <main class="sign-in">
      <h1>{texts.choose}</h1>
      <p>{texts.chooseNote(person?.email ?? '')}</p>
      <ul class="choices">
        {choices.map(({ userId, role, platform }) => (
          <li key={userId}>
            <button
              type="button"
              disabled={act.isBusy}
              aria-current={userId === person?.userId}
              onClick={() => void act.run(userId)}
            >
              <bdi>{platform?.name ?? texts.operator}</bdi> <span class="soft">{kitTexts.roles[role]}</span>
            </button>
          </li>
        ))}
      </ul>
      {act.failure && <Failure of={act.failure} />}
      <footer class="soft">
        {isChoosing.value && (
          <Button text={kitTexts.cancel} class="quiet" onClick={() => (isChoosing.value = false)} />
        )}
        <Button text={kitTexts.signOut} class="quiet" onClick={() => void signOut()} />
      </footer>
    </main>
  );
}
