import { type FormEvent, useEffect, useId, useState } from 'react';

const keyItem = 'lectern:apiKey';
const switchItem = 'lectern:keepApiKey';

/** Returns null if the browser's settings forbid storage: reading `sessionStorage` then throws. */
export function openSessionStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/** Holds the API key, and whether session storage keeps it over a reload until the tab is closed (by default). */
export function useApiKey(storage: Storage | null) {
  const [apiKey, setApiKey] = useState(() => storage?.getItem(keyItem) ?? null);
  const [isKept, setKept] = useState(() => storage !== null && storage.getItem(switchItem) !== 'off');
  useEffect(() => {
    if (apiKey !== null && isKept) storage?.setItem(keyItem, apiKey);
    else storage?.removeItem(keyItem);
    if (isKept) storage?.removeItem(switchItem);
    else storage?.setItem(switchItem, 'off');
  }, [storage, apiKey, isKept]);
  return { apiKey, setApiKey, isKept, setKept };
}

/** `unchecked`: the response has an error that does not concern the key. */
export type ApiKeyState =
  | { kind: 'missing' | 'checking' | 'valid' }
  | { kind: 'rejected' | 'unchecked'; message: string };

interface ApiKeyFormProps {
  initialKey: string | null;
  state: ApiKeyState;
  /** Null if the browser cannot keep the key. */
  isKept: boolean | null;
  onChange: (apiKey: string | null) => void;
  onKeepChange: (isKept: boolean) => void;
  onSkipToEditor: () => void;
}

/** The form for the API key. Its field has no name, so browsers do not store the key themselves. */
export function ApiKeyForm({ initialKey, state, isKept, onChange, onKeepChange, onSkipToEditor }: ApiKeyFormProps) {
  const [value, setValue] = useState(initialKey ?? '');
  const [isVisible, setVisible] = useState(false);
  const fieldId = useId();
  const statusId = useId();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(value.trim() || null);
  };

  return (
    <form className="api-key-form" onSubmit={submit}>
      <label htmlFor={fieldId}>API key</label>
      <input
        id={fieldId}
        type={isVisible ? 'text' : 'password'}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        aria-describedby={statusId}
        aria-invalid={state.kind === 'rejected'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
      />
      <button type="button" className="plain" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
        Show
      </button>
      <button type="submit">Use key</button>
      {isKept !== null && (
        <label className="keep-key">
          <input
            type="checkbox"
            role="switch"
            checked={isKept}
            onChange={(event) => onKeepChange(event.target.checked)}
          />
          Keep the key until this tab is closed
        </label>
      )}
      <button type="button" className="skip-to-editor" onClick={onSkipToEditor}>
        Skip to the query editor
      </button>
      <p id={statusId} role="status" className={'message' in state ? 'error' : 'quiet'}>
        <KeyStatus state={state} isKept={isKept === true} />
      </p>
    </form>
  );
}

function KeyStatus({ state, isKept }: { state: ApiKeyState; isKept: boolean }) {
  if ('message' in state) return state.message;
  if (state.kind === 'checking') return 'Checking the key ...';
  if (state.kind === 'valid')
    return isKept ? 'The key is valid.' : 'The key is valid. It is forgotten when you leave this page.';
  return (
    <>
      Enter a key to load the schema and run queries. <a href="/api-keys/request">Request a key</a>
    </>
  );
}
