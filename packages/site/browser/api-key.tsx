import type { FormEvent } from 'react';
import { useId, useState } from 'react';

export type ApiKeyState =
  | { kind: 'missing' | 'checking' | 'valid' }
  /**
   * `rejected`: the key is wrong. `unchecked`: the service could not say whether the key is right.
   */
  | { kind: 'rejected' | 'unchecked'; message: string };

export interface ApiKeyFormProps {
  /** The key that is in use when the form is first shown. */
  initialKey: string | null;
  state: ApiKeyState;
  /** Whether the key is kept until the tab is closed. Null if the browser cannot keep it. */
  isKept: boolean | null;
  /** Called on submit, with null if the field is empty. */
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
    onChange(value.trim() === '' ? null : value.trim());
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
      <p id={statusId} role="status" className={isProblem(state) ? 'error' : 'quiet'}>
        <KeyStatus state={state} isKept={isKept === true} />
      </p>
    </form>
  );
}

const isProblem = (state: ApiKeyState) => state.kind === 'rejected' || state.kind === 'unchecked';

function KeyStatus({ state, isKept }: { state: ApiKeyState; isKept: boolean }) {
  switch (state.kind) {
    case 'missing':
      return (
        <>
          Enter a key to load the schema and run queries. <a href="/api-keys/request">Request a key</a>
        </>
      );
    case 'checking':
      return 'Checking the key ...';
    case 'valid':
      return isKept ? 'The key is valid.' : 'The key is valid. It is forgotten when you leave this page.';
    case 'rejected':
    case 'unchecked':
      return state.message;
  }
}
