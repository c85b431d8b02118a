import { useSignal } from '@preact/signals';
import { CopyButton } from './CopyButton.tsx';
import { counterpartyMessage } from './counterpartyMessage.ts';
import { kitTexts } from './kitTexts.ts';
import { session, viewing } from './session.ts';
import { type Language, language, languages, t } from './texts.ts';

interface MessageToCopyProps {
  name: string | null;
  description: string;
  url: string;
  expiresAt: string;
}

/** The message for a counterparty in their language, to be copied. Its link is known only now. */
export function MessageToCopy(asked: MessageToCopyProps) {
  const texts = t(kitTexts);
  const chosen = useSignal<Language>(language.peek());
  const platform = viewing.value?.name ?? session.value?.platform?.name ?? '';
  const text = counterpartyMessage(chosen.value, { ...asked, platform });
  return (
    <div class="form">
      <label>
        {texts.theirLanguage}
        <select onChange={(event) => (chosen.value = event.currentTarget.value as Language)}>
          {languages.map((tag) => (
            <option key={tag} value={tag} selected={tag === chosen.value}>
              {texts.languageNames[tag]}
            </option>
          ))}
        </select>
      </label>
      <pre class="code" dir="auto" lang={chosen.value}>
        {text}
      </pre>
      <div class="actions">
        <CopyButton text={text} label={texts.copyMessage} />
      </div>
    </div>
  );
}
