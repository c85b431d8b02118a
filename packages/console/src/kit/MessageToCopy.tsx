import { useSignal } from '@preact/signals';
import { CopyButton } from './Button.tsx';
import { counterpartyMessage } from './counterpartyMessage.ts';
import { Select } from './form.tsx';
import { kitTexts as texts } from './kitTexts.ts';
import { session, viewing } from './session.ts';
import { type Language, language, languages } from './texts.ts';

interface MessageToCopyProps {
  name: string | null;
  description: string;
  url: string;
  expiresAt: string;
}

/** The message for a counterparty in their language, to be copied. Its link is known only now. */
export function MessageToCopy(asked: MessageToCopyProps) {
  const chosen = useSignal<Language>(language.peek());
  const platform = viewing.value?.name ?? session.value?.platform?.name ?? '';
  const text = counterpartyMessage(chosen.value, { ...asked, platform });
  return (
    <div class="form">
      <Select
        label={texts.theirLanguage}
        of={languages}
        textOf={(tag) => texts.languageNames[tag]}
        chosen={chosen.value}
        onChoose={(tag) => (chosen.value = tag)}
      />
      <pre class="code" dir="auto" lang={chosen.value}>
        {text}
      </pre>
      <div class="actions">
        <CopyButton text={text} label={texts.copyMessage} />
      </div>
    </div>
  );
}
