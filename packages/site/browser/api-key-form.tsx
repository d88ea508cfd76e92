import type { FormEvent } from 'react';
import { useId, useState } from 'react';

export type KeyStanding = { is: 'missing' | 'being checked' | 'good' } | { is: 'refused'; because: string };

export interface KeyBarParts {
  standing: KeyStanding;
  /** Null when the field was emptied. */
  onKey: (apiKey: string | null) => void;
}

/** Where the API key is entered. The field has no name, and the state of this page is the only place that holds what is in it. */
export function KeyBar({ standing, onKey }: KeyBarParts) {
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState(false);
  const field = useId();
  const note = useId();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onKey(typed.trim() === '' ? null : typed.trim());
  };

  return (
    <form className="key-bar" onSubmit={submit}>
      <label htmlFor={field}>API key</label>
      <input
        id={field}
        type={shown ? 'text' : 'password'}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        aria-describedby={note}
        aria-invalid={standing.is === 'refused'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
      />
      <button type="button" className="plain" aria-pressed={shown} onClick={() => setShown(!shown)}>
        Show
      </button>
      <button type="submit">Use key</button>
      <p id={note} role="status" className={standing.is === 'refused' ? 'error' : 'quiet'}>
        <Note standing={standing} />
      </p>
    </form>
  );
}

function Note({ standing }: { standing: KeyStanding }) {
  switch (standing.is) {
    case 'missing':
      return (
        <>
          Enter a key to load the schema and run queries. It stays in this page and is forgotten when you leave.{' '}
          <a href="/api-keys/request">Request a key</a>
        </>
      );
    case 'being checked':
      return 'Checking the key ...';
    case 'good':
      return 'The key is good. It stays in this page and is forgotten when you leave.';
    case 'refused':
      return standing.because;
  }
}
