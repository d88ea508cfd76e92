import type { FormEvent } from 'react';
import { useId, useState } from 'react';

export type ApiKeyState = { kind: 'missing' | 'checking' | 'valid' } | { kind: 'rejected'; message: string };

export interface ApiKeyFormProps {
  state: ApiKeyState;
  /** Called on submit, with null if the field is empty. */
  onChange: (apiKey: string | null) => void;
}

/**
 * The form for the API key.
 * The key exists only in React state: its field has no name, so browsers do not store it.
 */
export function ApiKeyForm({ state, onChange }: ApiKeyFormProps) {
  const [value, setValue] = useState('');
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
      <p id={statusId} role="status" className={state.kind === 'rejected' ? 'error' : 'quiet'}>
        <KeyStatus state={state} />
      </p>
    </form>
  );
}

function KeyStatus({ state }: { state: ApiKeyState }) {
  switch (state.kind) {
    case 'missing':
      return (
        <>
          Enter a key to load the schema and run queries. It stays in this page and is forgotten when you leave.{' '}
          <a href="/api-keys/request">Request a key</a>
        </>
      );
    case 'checking':
      return 'Checking the key ...';
    case 'valid':
      return 'The key is valid. It stays in this page and is forgotten when you leave.';
    case 'rejected':
      return state.message;
  }
}
